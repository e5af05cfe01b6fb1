import { Alert, Anchor, Button } from '@mantine/core'
import { resetPassword } from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { ApiError, call } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'
import { useForm } from '../shell/form.tsx'
import { CardPage } from './card-page.tsx'
import { NewPasswordInput } from './new-password-input.tsx'

/** The page of a link to set a new password. The secret is in the fragment, which browsers do not send to servers. */
export function ResetPassword() {
  const secret = useLocation().hash.slice(1)
  const queryClient = useQueryClient()
  const form = useForm(
    { password: '' },
    ({ password }) => call(resetPassword, { body: { secret, password } }),
    // A session in this browser has ended too.
    () => queryClient.setQueryData(meQuery.queryKey, null),
  )
  const isOver = secret === '' || (form.error instanceof ApiError && form.error.status === 410)
  return (
    <CardPage title="Set a new password">
      {(form.error || secret === '') && (
        <Alert color="red" role="alert">
          {secret === '' ? 'This is not the whole link. Open the link that you were given.' : form.problem}
        </Alert>
      )}
      {form.isSuccess && (
        <Alert color="meadow" role="status">
          The password is set, and all sessions have ended.
        </Alert>
      )}
      {!isOver && !form.isSuccess && (
        <form onSubmit={form.submit}>
          <NewPasswordInput label="New password" {...form.choice('password')} own={{}} />
          <Button type="submit" mt="lg" fullWidth loading={form.isBusy}>
            Set the password
          </Button>
        </form>
      )}
      {form.isSuccess && (
        <Button component={Link} to="/sign-in">
          Sign in
        </Button>
      )}
      {isOver && (
        <Anchor component={Link} to="/forgot-password" ta="center">
          Ask for a new link
        </Anchor>
      )}
    </CardPage>
  )
}
