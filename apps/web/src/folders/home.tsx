import { Text } from '@mantine/core'
import { Navigate } from 'react-router'
import { useMe } from '../shell/use-me.ts'

/** Leads to the first of one's teams. */
export function Home() {
  const [team] = useMe().teams
  if (team) return <Navigate to={`/teams/${team.id}`} replace />
  return (
    <Text ta="center" py="xl" c="dimmed">
      You are in no team yet. Ask for an invitation, or have the operator of this server add you to a team.
    </Text>
  )
}
