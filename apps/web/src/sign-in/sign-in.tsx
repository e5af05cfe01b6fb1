import { OIDC_FAILURES } from '@meadow/contract/web'
import { useNavigate, useSearchParams } from 'react-router'
import { CardPage } from './card-page.tsx'
import { SignInForm } from './sign-in-form.tsx'

const OIDC_SENTENCES: Record<string, string> = {
  [OIDC_FAILURES.notVerified]:
    'The service that signs you in has not confirmed your e-mail address. Confirm it there, or ask for an invitation.',
  [OIDC_FAILURES.notLinked]:
    'There is already an account with your e-mail address. Sign in with its password.',
}

export function SignIn() {
  const [search] = useSearchParams()
  const to = toLocalPath(search.get('to'))
  const navigate = useNavigate()
  const failure = search.has('failed')
    ? (OIDC_SENTENCES[search.get('error') ?? ''] ?? 'Signing in through the other service failed. Try again.')
    : undefined
  return (
    <CardPage title="Sign in to Meadow">
      <SignInForm to={to} failure={failure} onSignedIn={() => navigate(to, { replace: true })} />
    </CardPage>
  )
}

/**
 * Returns the page to open after signing in. It is always a path of this site, since the parameter comes from a link.
 */
function toLocalPath(parameter: string | null): string {
  if (!parameter?.startsWith('/')) return '/'
  const { origin, pathname, search, hash } = new URL(parameter, location.origin)
  return origin === location.origin ? `${pathname}${search}${hash}` : '/'
}
