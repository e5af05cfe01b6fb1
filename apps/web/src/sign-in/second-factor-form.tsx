import { Button, Divider, Text, TextInput } from '@mantine/core'
import {
  giveSecondFactor,
  type KindsOfFactors,
  type Me,
  type SecondFactorProof,
  signOut,
} from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { Problem } from '../shell/form.tsx'
import { askForPasskey, hasPasskeys } from './passkey.ts'

/** The second step of signing in. */
export function SecondFactorForm({
  awaits,
  onSignedIn,
  onCancelled,
}: {
  /** The factors that the person has. */
  awaits: KindsOfFactors
  onSignedIn?: ((me: Me) => unknown) | undefined
  onCancelled: () => void
}) {
  const [code, setCode] = useState('')
  const queryClient = useQueryClient()
  const passkeys = awaits.passkeys && hasPasskeys()
  const forgetStep = () =>
    queryClient.setQueryData(waysToSignInQuery.queryKey, (ways) => ways && { ...ways, awaits: null })
  const entering = useMutation({
    mutationFn: async (findProof: () => Promise<SecondFactorProof>) =>
      call(giveSecondFactor, { body: await findProof() }),
    async onSuccess(me) {
      forgetStep()
      queryClient.setQueryData(meQuery.queryKey, me)
      await onSignedIn?.(me)
    },
  })
  const cancelling = useMutation({
    mutationFn: () => call(signOut),
    onSuccess() {
      forgetStep()
      onCancelled()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        entering.mutate(async () => ({ code }))
      }}
    >
      <Text mb="sm">Your account is protected by a second factor.</Text>
      <Problem error={entering.error ?? cancelling.error} mb="sm" />
      {passkeys && (
        <PasskeyChoice
          isPending={entering.isPending}
          choose={() => entering.mutate(async () => ({ passkey: await askForPasskey() }))}
        />
      )}
      <CodeInput value={code} onChange={setCode} hasApp={awaits.codes} isFirst={!passkeys} />
      <Button
        type="submit"
        mt="lg"
        fullWidth
        variant={passkeys ? 'default' : 'filled'}
        loading={entering.isPending}
      >
        Sign in
      </Button>
      <Button
        mt="xs"
        variant="subtle"
        fullWidth
        loading={cancelling.isPending}
        onClick={() => cancelling.mutate()}
      >
        Use another account
      </Button>
    </form>
  )
}

/** A passkey, as the first of several ways. */
export function PasskeyChoice({ isPending, choose }: { isPending: boolean; choose: () => void }) {
  return (
    <>
      <Button fullWidth data-autofocus autoFocus loading={isPending} onClick={choose}>
        Use a passkey
      </Button>
      <Divider label="or" my="sm" />
    </>
  )
}

interface CodeInputProps {
  value: string
  onChange: (value: string) => void
  /** Whether there is an authenticator app, beside the recovery codes. */
  hasApp: boolean
  /** Whether it gets the focus. */
  isFirst: boolean
}

/** A field for the code of an authenticator app or a recovery code. */
export function CodeInput({ value, onChange, hasApp, isFirst }: CodeInputProps) {
  return (
    <TextInput
      label={hasApp ? 'Code' : 'Recovery code'}
      description={hasApp && 'Of your authenticator app, or one of your recovery codes'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...(isFirst && { 'data-autofocus': true, autoFocus: true })}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
