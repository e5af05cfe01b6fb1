import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { endOtherSessions, endSession, type OwnSession, readSecurity } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { CopyLine } from '../shell/copy-line.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { Failure } from '../shell/failure.tsx'
import { Loading } from '../shell/loading.tsx'
import { notify } from '../shell/notices.tsx'
import { useTitle } from '../shell/use-title.ts'
import { When } from '../shell/when.tsx'
import { describeAgent } from './describe-agent.ts'
import { SecondFactors } from './second-factors.tsx'

/** The user's second factors and sessions. */
export function SecurityPage() {
  useTitle('Security')
  const security = useQuery(queryOf(readSecurity))
  const [newCodes, setNewCodes] = useState<readonly string[]>()
  return (
    <Stack maw={720} mx="auto">
      <Anchor component={Link} to="/account" size="sm">
        Account
      </Anchor>
      <Title order={1} size="h2">
        Security
      </Title>
      {security.isPending && <Loading />}
      {security.isLoadingError && <Failure error={security.error} retry={security.refetch} />}
      {newCodes && <RecoveryCodes codes={newCodes} close={() => setNewCodes(undefined)} />}
      {security.data && (
        <>
          {security.data.factors.length > 0 && security.data.recoveryCodes === 0 && (
            <Alert color="yellow" title="No recovery codes are left">
              Create new ones, so that you can sign in when you do not have your second factor at hand.
            </Alert>
          )}
          <SecondFactors
            factors={security.data.factors}
            recoveryCodes={security.data.recoveryCodes}
            onNewCodes={setNewCodes}
          />
          <Sessions sessions={security.data.sessions} />
        </>
      )}
    </Stack>
  )
}

/** Shows new recovery codes, once. */
function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  return (
    <Dialog opened onClose={close} title="Your recovery codes" closeOnClickOutside={false}>
      <Text size="sm" mb="sm">
        Each of them completes one sign-in when you do not have your second factor at hand. Store them in a
        safe place now: they are not shown again.
      </Text>
      <CopyLine text={codes.join('\n')} testId="recovery-codes" />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>I have stored them</Button>
      </Group>
    </Dialog>
  )
}

/** Where the user is signed in, with buttons to sign out there. */
function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
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
