import { Alert, Anchor, Button, Text, TextInput } from '@mantine/core'
import { requestPasswordReset } from '@meadow/contract/web'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, errorMessage } from '../api/call.ts'
import { waysToSignInQuery } from '../api/queries.ts'
import { CardPage } from './card-page.tsx'

/** Asks for a mail with a link to set a new password. */
export function ForgotPassword() {
  const ways = useQuery(waysToSignInQuery)
  const [email, setEmail] = useState('')
  const asking = useMutation({ mutationFn: () => call(requestPasswordReset, { body: { email } }) })
  return (
    <CardPage title="Set a new password">
      {ways.data?.mail === false && (
        <Text>No mails are sent here. Ask the operator of this server for a link to set a new password.</Text>
      )}
      {ways.data?.mail !== false && !asking.isSuccess && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            asking.mutate()
          }}
        >
          {asking.isError && (
            <Alert color="red" role="alert" mb="sm">
              {errorMessage(asking.error)}
            </Alert>
          )}
          <Text mb="md">Enter the address of your account. You get a mail with a link.</Text>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Button type="submit" mt="lg" fullWidth loading={asking.isPending}>
            Send the link
          </Button>
        </form>
      )}
      {asking.isSuccess && (
        <Alert color="meadow" role="status">
          If there is an account with a confirmed address {email}, a mail is on its way. Its link works for an
          hour.
        </Alert>
      )}
      <Anchor component={Link} to="/sign-in" ta="center">
        Back to sign-in
      </Anchor>
    </CardPage>
  )
}
