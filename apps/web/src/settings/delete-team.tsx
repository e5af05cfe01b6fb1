import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core'
import { deleteTeam, type TeamSettings } from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { ConfirmDeletion } from '../shell/confirm-deletion.tsx'

/** Lets owners delete the team. */
export function DeleteTeam({ team }: { team: TeamSettings }) {
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Paper component="section" aria-label="Delete the team" withBorder p="md" maw={520}>
      <Stack>
        <Title order={2} size="h4">
          Delete the team
        </Title>
        <Text size="sm">
          Nobody reaches its documents any more, and its API tokens are rejected. For 14 days, owners can
          restore it{' '}
          <Anchor component={Link} to="/account" inherit underline="always">
            in their account
          </Anchor>
          ; then everything is removed for good.
        </Text>
        <Button color="red" variant="outline" w="fit-content" onClick={() => setIsAsking(true)}>
          Delete this team…
        </Button>
      </Stack>
      {isAsking && (
        <ConfirmDeletion
          title={`Delete “${team.name}”?`}
          confirmation={{ text: team.name, label: 'Type the name of the team to confirm' }}
          action="Delete the team"
          done={`The team “${team.name}” is deleted. For 14 days, its owners can restore it in their account.`}
          run={async (name) => (await call(deleteTeam, { params: [team.id], body: { name } })).remains}
          close={(isDone) => {
            setIsAsking(false)
            if (!isDone) return
            void navigate('/account')
            void queryClient.invalidateQueries()
          }}
        >
          <Text>
            It stores {team.stored.documents.toLocaleString('en')} documents. All members lose access at once;
            links to exports and public documents stop working, and open editors are closed. Where this server
            sends mails, the owners get a notice by e-mail.
          </Text>
        </ConfirmDeletion>
      )}
    </Paper>
  )
}
