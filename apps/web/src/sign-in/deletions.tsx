import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type DeletedTeam, deleteAccount, readDeletions, restoreTeam } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { findServiceAddress } from '../api/public-path.ts'
import { queryOf } from '../api/queries.ts'
import { ConfirmDeletion } from '../shell/confirm-deletion.tsx'
import { Failure } from '../shell/failure.tsx'
import { Outcome } from '../shell/form.tsx'
import { useMe } from '../shell/use-me.ts'

/** Shows the deleted teams of the user, which they can restore, or nothing if there are no such teams. */
export function DeletedTeams() {
  const deletions = useQuery(queryOf(readDeletions))
  const teams = deletions.data?.deletedTeams ?? []
  if (teams.length === 0) return null
  return (
    <Paper component="section" aria-label="Deleted teams" withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          Deleted teams
        </Title>
        {teams.map((team) => (
          <Deleted key={team.id} team={team} />
        ))}
      </Stack>
    </Paper>
  )
}

function Deleted({ team }: { team: DeletedTeam }) {
  const queryClient = useQueryClient()
  const restore = useMutation({
    mutationFn: () => call(restoreTeam, { params: [team.id] }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  const until = new Date(team.restorableUntil).toLocaleDateString('en', { dateStyle: 'long' })
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text fw={600}>{team.name}</Text>
          <Text size="sm" c="dimmed">
            {team.isRestorable
              ? `Can be restored until ${until}`
              : `Deleted by the operator, who can restore it until ${until}`}
          </Text>
        </div>
        {team.isRestorable && (
          <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
            Restore
          </Button>
        )}
      </Group>
      <Outcome of={restore} mt="sm" />
    </div>
  )
}

/** Deletes the account, unless a team would be left without an owner. */
export function DeleteAccount() {
  const { person } = useMe()
  const [isAsking, setIsAsking] = useState(false)
  const deletions = useQuery(queryOf(readDeletions))
  if (deletions.isLoadingError) return <Failure error={deletions.error} retry={deletions.refetch} />
  if (!deletions.data) return null
  const { lastOwnerOf } = deletions.data
  const isBlocked = lastOwnerOf.length > 0
  return (
    <Paper component="section" aria-label="Delete your account" withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          Delete your account
        </Title>
        <Text size="sm">
          Your sessions, roles and API tokens end at once. What you made stays with your teams, as the work of
          a former member.
        </Text>
        {isBlocked && (
          <Alert color="yellow" title="Your teams need an owner">
            You are the last owner of {lastOwnerOf.map(({ name }) => `“${name}”`).join(', ')}. Make somebody
            else an owner first, or delete the team in its settings.
          </Alert>
        )}
        <Button
          color="red"
          variant="outline"
          w="fit-content"
          disabled={isBlocked}
          onClick={() => setIsAsking(true)}
        >
          Delete my account…
        </Button>
      </Stack>
      {isAsking && (
        <ConfirmDeletion
          title="Delete your account?"
          confirmation={{ text: person.email, label: 'Type your e-mail address to confirm' }}
          action="Delete my account"
          done="Your account is deleted."
          run={async (email) => (await call(deleteAccount, { body: { email } })).remains}
          close={(isDone) => {
            if (isDone) location.assign(`${findServiceAddress()}/sign-in`)
            else setIsAsking(false)
          }}
        >
          <Text>This cannot be undone.</Text>
        </ConfirmDeletion>
      )}
    </Paper>
  )
}
