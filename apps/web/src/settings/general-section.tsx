import { Alert, Button, Loader, Paper, Stack, TextInput } from '@mantine/core'
import {
  changeTeamSettings,
  type Membership,
  readTeamSettings,
  type TeamSettings,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { sentenceOf } from '../api/refusal.ts'
import { Failure } from '../shell/failure.tsx'

/** The team's name, and its host name, which only the operator sets. */
export function GeneralSection({ team }: { team: Membership }) {
  const settings = useQuery(queryOf(readTeamSettings, { params: [team.id] }))
  if (settings.isLoadingError) return <Failure error={settings.error} retry={settings.refetch} />
  if (!settings.data) return <Loader aria-label="Loading" />
  return <General team={settings.data.team} />
}

function General({ team }: { team: TeamSettings }) {
  const [name, setName] = useState(team.name)
  const isOwner = team.role === 'owner'
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      // What somebody else changed meanwhile stays.
      call(changeTeamSettings, { params: [team.id], body: name === team.name ? {} : { name } }),
    // The team's name stands in many places.
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return (
    <Paper
      component="form"
      withBorder
      p="md"
      maw={520}
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          required
          readOnly={!isOwner}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Host name"
          description="Under a host name of its own, the server lets in this team’s tokens only. The operator of the server sets it, with “meadow-server team host”."
          placeholder="none"
          readOnly
          value={team.hostName ?? ''}
        />
        <div aria-live="polite">
          {change.isError && <Alert color="red">{sentenceOf(change.error)}</Alert>}
          {change.isSuccess && <Alert color="meadow">Saved.</Alert>}
        </div>
        {isOwner ? (
          <Button type="submit" loading={change.isPending} w="fit-content">
            Save
          </Button>
        ) : (
          <Alert color="gray">Only owners can change the team.</Alert>
        )}
      </Stack>
    </Paper>
  )
}
