import { Button, PasswordInput, Text } from '@mantine/core'
import { type AppBody, type KindsOfFactors, signInAgain, signInThroughOidc } from '@meadow/contract/web'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, urlOf } from '../api/call.ts'
import { findPublicPath } from '../api/public-path.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { Dialog } from '../shell/dialog.tsx'
import { Problem } from '../shell/form.tsx'
import { askForPasskey, hasPasskeys } from './passkey.ts'
import { CodeInput, PasskeyChoice } from './second-factor-form.tsx'

/** Asks the signed-in user to prove again who they are, in one of the ways in which they sign in. */
export function ConfirmIdentity({ close }: { close: (isConfirmed: boolean) => void }) {
  const me = useQuery(meQuery)
  const { hasPassword = false, secondFactors = { codes: false, passkeys: false } } = me.data ?? {}
  const hasFactor = secondFactors.codes || secondFactors.passkeys
  return (
    <Dialog opened onClose={() => close(false)} title="Confirm that it is you" zIndex={400}>
      <Text size="sm" mb="sm">
        This needs a sign-in within the last ten minutes.
      </Text>
      {hasPassword || hasFactor ? (
        <ProofForm
          kind={hasPassword ? 'password' : 'code'}
          factors={secondFactors}
          onConfirmed={() => close(true)}
        />
      ) : (
        <ThroughOidc />
      )}
    </Dialog>
  )
}

interface ProofFormProps {
  /** What the user types as a proof. */
  kind: 'password' | 'code'
  factors: KindsOfFactors
  onConfirmed: () => void
}

function ProofForm({ kind, factors, onConfirmed }: ProofFormProps) {
  const [secret, setSecret] = useState('')
  const passkeys = factors.passkeys && hasPasskeys()
  const confirm = useMutation({
    mutationFn: async (findProof: () => Promise<AppBody<typeof signInAgain>>) =>
      call(signInAgain, { body: await findProof() }),
    onSuccess: onConfirmed,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate(async () => (kind === 'password' ? { password: secret } : { code: secret }))
      }}
    >
      <Problem error={confirm.error} mb="sm" />
      {passkeys && (
        <PasskeyChoice
          isPending={confirm.isPending}
          choose={() => confirm.mutate(async () => ({ passkey: await askForPasskey() }))}
        />
      )}
      {kind === 'password' ? (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus={!passkeys || undefined}
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      ) : (
        <CodeInput value={secret} onChange={setSecret} hasApp={factors.codes} isFirst={!passkeys} />
      )}
      <Button
        type="submit"
        mt="lg"
        fullWidth
        variant={passkeys ? 'default' : 'filled'}
        loading={confirm.isPending}
      >
        Confirm
      </Button>
    </form>
  )
}

/** Signs in at the other service. The page is left, so what the user was about to do has to be done again. */
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
