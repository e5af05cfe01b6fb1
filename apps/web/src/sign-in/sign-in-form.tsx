import { Alert, Anchor, Button, Divider, PasswordInput, TextInput } from '@mantine/core'
import { type Me, signIn, signInThroughOidc } from '@meadow/contract/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call, urlOf } from '../api/call.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { useForm } from '../shell/form.tsx'
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
  const queryClient = useQueryClient()
  const ways = useQuery(waysToSignInQuery)
  const form = useForm(
    { email: initialEmail, password: '' },
    (body) => call(signIn, { body }),
    async (entered) => {
      if ('awaits' in entered) return
      queryClient.setQueryData(meQuery.queryKey, entered)
      await onSignedIn?.(entered)
    },
  )
  const awaits = form.saved && 'awaits' in form.saved ? form.saved.awaits : ways.data?.awaits
  if (awaits) return <SecondFactorForm awaits={awaits} onSignedIn={onSignedIn} onCancelled={form.reset} />
  const problem = form.problem ?? failure
  return (
    <>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {ways.data?.password !== false && (
        <form onSubmit={form.submit}>
          <TextInput label="E-mail" type="email" autoComplete="username" required {...form.text('email')} />
          <PasswordInput
            mt="sm"
            label="Password"
            autoComplete="current-password"
            required
            {...form.text('password')}
          />
          <Button type="submit" mt="lg" fullWidth loading={form.isBusy}>
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
