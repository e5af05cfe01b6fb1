import { Stack, Text, Title } from '@mantine/core'
import { Navigate } from 'react-router'
import { useMe } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'

/** Redirects to the user's first team. */
export function Home() {
  const { person, teams } = useMe()
  const [team] = teams
  useTitle(undefined)
  if (team) return <Navigate to={`/teams/${team.id}`} replace />
  return (
    <Stack align="center" py="xl" gap="xs" ta="center">
      <Title order={1} size="h2">
        You are in no team yet
      </Title>
      <Text c="dimmed">
        You are signed in as {person.email}. Ask an owner of your team for an invitation, or the operator of
        this server to add you.
      </Text>
    </Stack>
  )
}
