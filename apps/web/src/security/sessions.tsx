import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { endOtherSessions, endSession, type OwnSession, readSecurity } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { notify } from '../shell/notices.tsx'
import { When } from '../shell/when.tsx'
import { describeAgent } from './describe-agent.ts'

/** Where the user is signed in, with buttons to sign out there. */
export function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const end = useEnding(() => call(endOtherSessions))
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        Sessions
      </Title>
      <Text size="sm" c="dimmed" mt={4}>
        Where you are signed in. A session ends after seven days without use, and 30 days after the sign-in.
      </Text>
      <Stack component="ul" gap="sm" my="md" p={0} aria-label="Sessions">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
      {sessions.length > 1 && (
        <Button variant="light" color="red" loading={end.isPending} onClick={() => end.mutate()}>
          Sign out everywhere else
        </Button>
      )}
    </Paper>
  )
}

function useEnding(mutationFn: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onError: notify,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [readSecurity.path] }),
  })
}

function SessionRow({ session }: { session: OwnSession }) {
  const { id, isThis, userAgent, address, signedInAt, lastUsedAt } = session
  const device = describeAgent(userAgent)
  const end = useEnding(() => call(endSession, { params: [id] }))
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={500} className="long-text">
            {device}
          </Text>
          {isThis && <Badge size="sm">This one</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          {address && `${address}, `}signed in <When at={signedInAt} size="xs" />,{' '}
          {isThis ? (
            'in use now'
          ) : (
            <>
              used <When at={lastUsedAt} size="xs" />
            </>
          )}
        </Text>
      </div>
      {!isThis && (
        <Button
          flex="none"
          size="xs"
          variant="light"
          color="red"
          aria-label={`Sign out ${device}`}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          Sign out
        </Button>
      )}
    </Group>
  )
}
