import { Alert, Anchor, Button, Text, TextInput } from '@mantine/core'
import { requestPasswordReset } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/call.ts'
import { waysToSignInQuery } from '../api/queries.ts'
import { Problem, useForm } from '../shell/form.tsx'
import { CardPage } from './card-page.tsx'

/** Asks for a mail with a link to set a new password. */
export function ForgotPassword() {
  const ways = useQuery(waysToSignInQuery)
  const form = useForm({ email: '' }, (body) => call(requestPasswordReset, { body }))
  return (
    <CardPage title="Set a new password">
      {ways.data?.mail === false && (
        <Text>No mails are sent here. Ask the operator of this server for a link to set a new password.</Text>
      )}
      {ways.data?.mail !== false && !form.isSuccess && (
        <form onSubmit={form.submit}>
          <Problem error={form.error} mb="sm" />
          <Text mb="md">Enter the address of your account. You get a mail with a link.</Text>
          <TextInput label="E-mail" type="email" autoComplete="username" required {...form.text('email')} />
          <Button type="submit" mt="lg" fullWidth loading={form.isBusy}>
            Send the link
          </Button>
        </form>
      )}
      {form.isSuccess && (
        <Alert color="meadow" role="status">
          If there is an account with a confirmed address {form.values.email}, a mail is on its way. Its link
          works for an hour.
        </Alert>
      )}
      <Anchor component={Link} to="/sign-in" ta="center">
        Back to sign-in
      </Anchor>
    </CardPage>
  )
}
