import { Alert, Button, Modal, PasswordInput, Text } from '@mantine/core'
import { signInAgain, signInThroughOidc } from '@meadow/contract/web'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage, urlOf } from '../api/call.ts'
import { findPublicPath } from '../api/public-path.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { CodeInput } from './second-factor-form.tsx'

/** Asks the signed-in user to prove again who they are, in one of the ways in which they sign in. */
export function ConfirmIdentity({ close }: { close: (isConfirmed: boolean) => void }) {
  const me = useQuery(meQuery)
  return (
    <Modal opened onClose={() => close(false)} title="Confirm that it is you" zIndex={400}>
      <Text size="sm" mb="sm">
        This needs a sign-in within the last ten minutes.
      </Text>
      {me.data?.hasPassword || me.data?.secondFactors.codes ? (
        <WithSecret kind={me.data.hasPassword ? 'password' : 'code'} onConfirmed={() => close(true)} />
      ) : (
        <ThroughOidc />
      )}
    </Modal>
  )
}

function WithSecret({ kind, onConfirmed }: { kind: 'password' | 'code'; onConfirmed: () => void }) {
  const [secret, setSecret] = useState('')
  const confirm = useMutation({
    mutationFn: () =>
      call(signInAgain, { body: kind === 'password' ? { password: secret } : { code: secret } }),
    onSuccess: onConfirmed,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate()
      }}
    >
      {confirm.isError && (
        <Alert color="red" role="alert" mb="sm">
          {errorMessage(confirm.error)}
        </Alert>
      )}
      {kind === 'password' ? (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      ) : (
        <CodeInput value={secret} onChange={setSecret} />
      )}
      <Button type="submit" mt="lg" fullWidth loading={confirm.isPending}>
        Confirm
      </Button>
    </form>
  )
}

/** The page is left, so what the user was about to do has to be done again. */
function ThroughOidc() {
  const ways = useQuery(waysToSignInQuery)
  const to = location.pathname.slice(findPublicPath().length) + location.search
  return ways.data?.oidc ? (
    <Button component="a" href={urlOf(signInThroughOidc, [], { to })} fullWidth>
      Sign in again with {ways.data.oidc.name}
    </Button>
  ) : (
    <Text size="sm">Sign out, and sign in again.</Text>
  )
}
