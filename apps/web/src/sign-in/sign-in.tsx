import { Alert, Button, Divider, PasswordInput, TextInput } from '@mantine/core'
import { OIDC_FAILURES, signIn, signInThroughOidc } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call, errorMessage, urlOf } from '../api/call.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { CardPage } from './card-page.tsx'

const OIDC_SENTENCES: Record<string, string> = {
  [OIDC_FAILURES.notVerified]:
    'The service that signs you in does not say that your e-mail address is yours. Confirm the address there, or ask for an invitation.',
  [OIDC_FAILURES.notLinked]:
    'There is an account with your e-mail address already, and it is not certain that it is yours. Sign in with its password.',
}

export function SignIn() {
  const [search] = useSearchParams()
  const to = toLocalPath(search.get('to'))
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const ways = useQuery(waysToSignInQuery)
  const entering = useMutation({
    mutationFn: () => call(signIn, { body: { email, password } }),
    async onSuccess(me) {
      queryClient.setQueryData(meQuery.queryKey, me)
      await navigate(to, { replace: true })
    },
  })
  const failure = entering.error
    ? errorMessage(entering.error)
    : search.has('failed') && (OIDC_SENTENCES[search.get('error') ?? ''] ?? 'Signing in there did not work.')
  return (
    <CardPage title="Sign in to Meadow">
      {failure && (
        <Alert color="red" role="alert">
          {failure}
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
        </form>
      )}
      {ways.data?.oidc && (
        <>
          <Divider label="or" />
          <Button component="a" href={urlOf(signInThroughOidc, [], { to })} variant="default" fullWidth>
            Sign in with {ways.data.oidc.name}
          </Button>
        </>
      )}
    </CardPage>
  )
}

/** The page to open after signing in. Always a path of this site: the parameter comes from a link. */
function toLocalPath(parameter: string | null): string {
  if (!parameter?.startsWith('/')) return '/'
  const { origin, pathname, search, hash } = new URL(parameter, location.origin)
  return origin === location.origin ? `${pathname}${search}${hash}` : '/'
}
