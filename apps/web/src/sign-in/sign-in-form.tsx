import { Alert, Anchor, Button, Divider, PasswordInput, TextInput } from '@mantine/core'
import { type Me, signIn, signInThroughOidc } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, errorMessage, urlOf } from '../api/call.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { SecondFactorForm } from './second-factor-form.tsx'

interface SignInFormProps {
  /** The page to show after signing in through another service. */
  to: string
  initialEmail?: string
  /** Why an earlier attempt failed. */
  failure?: string | undefined
  onSignedIn?: (me: Me) => unknown
  /** Called before the browser leaves for the other service. */
  onLeave?: () => void
}

/** The ways to sign in: with a password, and through the OpenID provider where there is one. */
export function SignInForm({ to, initialEmail = '', failure, onSignedIn, onLeave }: SignInFormProps) {
  const [email, setEmail] = useState(initialEmail)
  const [password, setPassword] = useState('')
  const queryClient = useQueryClient()
  const ways = useQuery(waysToSignInQuery)
  const entering = useMutation({
    mutationFn: () => call(signIn, { body: { email, password } }),
    async onSuccess(entered) {
      if ('awaits' in entered) return
      queryClient.setQueryData(meQuery.queryKey, entered)
      await onSignedIn?.(entered)
    },
  })
  const awaits = entering.data && 'awaits' in entering.data ? entering.data.awaits : ways.data?.awaits
  if (awaits) return <SecondFactorForm awaits={awaits} onSignedIn={onSignedIn} onCancelled={entering.reset} />
  const problem = entering.error ? errorMessage(entering.error) : failure
  return (
    <>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {ways.data?.password !== false && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            entering.mutate()
          }}
        >
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <PasswordInput
            mt="sm"
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" mt="lg" fullWidth loading={entering.isPending}>
            Sign in
          </Button>
          {ways.data?.mail && (
            <Anchor component={Link} to="/forgot-password" size="sm" mt="sm" display="block" ta="center">
              Forgot your password?
            </Anchor>
          )}
        </form>
      )}
      {ways.data?.oidc && (
        <>
          <Divider label="or" />
          <Button
            component="a"
            href={urlOf(signInThroughOidc, [], { to })}
            variant="default"
            fullWidth
            onClick={onLeave}
          >
            Sign in with {ways.data.oidc.name}
          </Button>
        </>
      )}
    </>
  )
}
