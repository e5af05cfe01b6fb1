import { Alert, Anchor, Button } from '@mantine/core'
import { resetPassword } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError, call, errorMessage } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'
import { CardPage } from './card-page.tsx'
import { NewPasswordInput } from './new-password-input.tsx'

/** The page of a link to set a new password. The secret is in the fragment, which browsers do not send to servers. */
export function ResetPassword() {
  const secret = useLocation().hash.slice(1)
  const [password, setPassword] = useState('')
  const queryClient = useQueryClient()
  const setting = useMutation({
    mutationFn: () => call(resetPassword, { body: { secret, password } }),
    // A session in this browser has ended too.
    onSuccess: () => queryClient.setQueryData(meQuery.queryKey, null),
  })
  const isOver = secret === '' || (setting.error instanceof ApiError && setting.error.status === 410)
  return (
    <CardPage title="Set a new password">
      {(setting.isError || secret === '') && (
        <Alert color="red" role="alert">
          {secret === ''
            ? 'This is not the whole link. Open the link that you were given.'
            : errorMessage(setting.error)}
        </Alert>
      )}
      {setting.isSuccess && (
        <Alert color="meadow" role="status">
          The password is set, and all sessions have ended.
        </Alert>
      )}
      {!isOver && !setting.isSuccess && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setting.mutate()
          }}
        >
          <NewPasswordInput label="New password" value={password} onChange={setPassword} own={{}} />
          <Button type="submit" mt="lg" fullWidth loading={setting.isPending}>
            Set the password
          </Button>
        </form>
      )}
      {setting.isSuccess && (
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
