import { Alert, Anchor, Button, Loader, Text } from '@mantine/core'
import { confirmAddress } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { call, errorMessage } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'
import { CardPage } from './card-page.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The key under which the secret is kept while the browser is at another service to sign in. */
const STORED_SECRET = 'meadow.confirmation'

/**
 * The page of a link that confirms an address. It confirms when the person says so, in their session: programs that
 * open every link of a mail confirm nothing.
 */
export function ConfirmAddress() {
  const secret = useLocation().hash.slice(1) || (sessionStorage.getItem(STORED_SECRET) ?? '')
  const me = useQuery(meQuery)
  const queryClient = useQueryClient()
  const confirming = useMutation({
    mutationFn: () => call(confirmAddress, { body: { secret } }),
    onSuccess(next) {
      sessionStorage.removeItem(STORED_SECRET)
      queryClient.setQueryData(meQuery.queryKey, next)
    },
  })
  return (
    <CardPage title="Confirm your address">
      {(confirming.isError || secret === '') && (
        <Alert color="red" role="alert">
          {secret === ''
            ? 'This is not the whole link. Open the link in the mail.'
            : errorMessage(confirming.error)}
        </Alert>
      )}
      {confirming.isSuccess ? (
        <>
          <Alert color="meadow" role="status" className="long-text">
            {confirming.data.person.email} is confirmed.
          </Alert>
          <Button component={Link} to="/">
            Go to your team
          </Button>
        </>
      ) : me.isPending ? (
        <Loader aria-label="Loading" />
      ) : me.data ? (
        <>
          <Text className="long-text">You are signed in as {me.data.person.name}.</Text>
          {secret !== '' && (
            <Button loading={confirming.isPending} onClick={() => confirming.mutate()}>
              Confirm the address
            </Button>
          )}
          <Anchor component={Link} to="/account" ta="center">
            Your account
          </Anchor>
        </>
      ) : (
        <>
          <Text>Sign in to the account whose address this is.</Text>
          <SignInForm to="/confirm-address" onLeave={() => sessionStorage.setItem(STORED_SECRET, secret)} />
        </>
      )}
    </CardPage>
  )
}
