import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import {
  readMe,
  readSecurity,
  removeSecondFactor,
  replaceRecoveryCodes,
  type SecondFactor,
} from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { FormDialog } from '../shell/form.tsx'
import { IconDeviceMobile, IconKey } from '../shell/icons.ts'
import { notify } from '../shell/notices.tsx'
import { When } from '../shell/when.tsx'
import { hasPasskeys, makePasskey } from '../sign-in/passkey.ts'
import { AuthenticatorDialog } from './authenticator-dialog.tsx'
import { describeAgent } from './describe-agent.ts'

interface SecondFactorsProps {
  factors: readonly SecondFactor[]
  /** The number of recovery codes that are left. */
  recoveryCodes: number
  onNewCodes: (codes: readonly string[]) => void
}

/** What completes a sign-in beside the password, with buttons to add and remove it. */
export function SecondFactors({ factors, recoveryCodes, onNewCodes }: SecondFactorsProps) {
  const [adding, setAdding] = useState<SecondFactor['kind']>()
  const refresh = useRefresh()
  const replace = useMutation({
    mutationFn: () => call(replaceRecoveryCodes),
    onSuccess: (created) => onNewCodes(created.recoveryCodes),
    onError: notify,
    onSettled: refresh,
  })
  const dialog = {
    close: () => setAdding(undefined),
    onAdded: (codes: readonly string[] | null) => {
      setAdding(undefined)
      void refresh()
      if (codes) onNewCodes(codes)
    },
  }
  const hasCodes = factors.some(({ kind }) => kind === 'totp')
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        Second factors
      </Title>
      <Text size="sm" c="dimmed" mt={4}>
        {factors.length === 0
          ? 'Whoever learns your password can sign in as you. With a second factor, they cannot.'
          : 'You are asked for one of them when you sign in.'}
      </Text>
      {factors.length > 0 && (
        <Stack gap="sm" mt="md">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} />
          ))}
        </Stack>
      )}
      <Group mt="md">
        {!hasCodes && <Button onClick={() => setAdding('totp')}>Add an authenticator app</Button>}
        {hasPasskeys() && (
          <Button variant={hasCodes ? 'filled' : 'default'} onClick={() => setAdding('passkey')}>
            Add a passkey
          </Button>
        )}
      </Group>
      {factors.length > 0 && (
        <Group justify="space-between" mt="md">
          <Text size="sm">Recovery codes left: {recoveryCodes}</Text>
          <Button variant="default" size="xs" loading={replace.isPending} onClick={() => replace.mutate()}>
            Create new recovery codes
          </Button>
        </Group>
      )}
      {adding === 'totp' && <AuthenticatorDialog {...dialog} />}
      {adding === 'passkey' && <PasskeyDialog {...dialog} />}
    </Paper>
  )
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([readSecurity, readMe].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
}

function FactorRow({ factor, isLast }: { factor: SecondFactor; isLast: boolean }) {
  const { id, kind, name, createdAt, lastUsedAt } = factor
  const [isAsking, setIsAsking] = useState(false)
  const refresh = useRefresh()
  const Icon = kind === 'totp' ? IconDeviceMobile : IconKey
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Icon size={20} aria-hidden />
        <div>
          <Text fw={500} className="long-text">
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            added <When at={createdAt} size="xs" />,{' '}
            {lastUsedAt ? (
              <>
                used <When at={lastUsedAt} size="xs" />
              </>
            ) : (
              'not used yet'
            )}
          </Text>
        </div>
      </Group>
      <Button
        flex="none"
        size="xs"
        variant="light"
        color="red"
        aria-label={`Remove ${name}`}
        onClick={() => setIsAsking(true)}
      >
        Remove
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={`Remove “${name}”?`}
        text={
          isLast
            ? 'It is your only second factor: the password alone signs you in afterwards, and your recovery codes are deleted.'
            : 'It cannot be used to sign in any more.'
        }
        action="Remove"
        run={() => call(removeSecondFactor, { params: [id] }).finally(refresh)}
      />
    </Group>
  )
}

/** Makes a passkey on this device, or on a security key, and adds it. */
function PasskeyDialog({
  close,
  onAdded,
}: {
  close: () => void
  onAdded: (recoveryCodes: readonly string[] | null) => void
}) {
  return (
    <FormDialog
      title="Add a passkey"
      action="Add the passkey"
      close={close}
      initial={{ name: describeAgent(navigator.userAgent) }}
      save={({ name }) => makePasskey(name)}
      onSaved={({ recoveryCodes }) => onAdded(recoveryCodes)}
    >
      {({ text }) => (
        <>
          <Text size="sm">
            Your browser asks for your fingerprint, face, PIN or security key. A passkey works at this address
            only: it cannot be typed into a page that imitates it.
          </Text>
          <TextInput
            mt="md"
            label="Name"
            description="To distinguish it from others"
            required
            data-autofocus
            {...text('name')}
          />
        </>
      )}
    </FormDialog>
  )
}
