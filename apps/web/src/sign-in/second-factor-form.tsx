import { Alert, Button, Text, TextInput } from '@mantine/core'
import { giveSecondFactor, type Me, signOut } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../api/call.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'

/** The second step of signing in. */
export function SecondFactorForm({
  onSignedIn,
  onCancelled,
}: {
  onSignedIn?: ((me: Me) => unknown) | undefined
  onCancelled: () => void
}) {
  const [code, setCode] = useState('')
  const queryClient = useQueryClient()
  const forgetStep = () =>
    queryClient.setQueryData(waysToSignInQuery.queryKey, (ways) => ways && { ...ways, awaits: null })
  const entering = useMutation({
    mutationFn: () => call(giveSecondFactor, { body: { code } }),
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
  const error = entering.error ?? cancelling.error
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        entering.mutate()
      }}
    >
      <Text mb="sm">Your account is protected by a second factor.</Text>
      {error && (
        <Alert color="red" role="alert" mb="sm">
          {errorMessage(error)}
        </Alert>
      )}
      <CodeInput value={code} onChange={setCode} />
      <Button type="submit" mt="lg" fullWidth loading={entering.isPending}>
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

/** A field for the code of an authenticator app or a recovery code. */
export function CodeInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      label="Code"
      description="Of your authenticator app, or one of your recovery codes"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      data-autofocus
      autoFocus
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
