import { Button, Group, Paper, Text, TextInput, Title } from '@mantine/core'
import { changeEmail, requestConfirmation } from '@meadow/contract/web'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { waysToSignInQuery } from '../api/queries.ts'
import { Outcome, useForm } from '../shell/form.tsx'
import { useMe } from '../shell/use-me.ts'

/** The user's address: whether it is confirmed, and a new one where mails are sent. */
export function AddressSection() {
  const { person, isEmailConfirmed } = useMe()
  const ways = useQuery(waysToSignInQuery)
  const sendsMail = ways.data?.mail ?? false
  const confirm = useMutation({ mutationFn: () => call(requestConfirmation) })
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        Address
      </Title>
      <TextInput mt="sm" label="E-mail" value={person.email} readOnly variant="filled" />
      {!isEmailConfirmed && (
        <Group mt="sm" justify="space-between">
          <Text size="sm" flex={1}>
            {sendsMail
              ? 'Nobody has shown yet that this address is yours. Until then, a forgotten password cannot be replaced.'
              : 'Nobody has shown yet that this address is yours. The operator of this server can confirm it.'}
          </Text>
          {sendsMail && (
            <Button variant="light" loading={confirm.isPending} onClick={() => confirm.mutate()}>
              Send a link
            </Button>
          )}
        </Group>
      )}
      <Outcome of={confirm} done={`A link is on its way to ${person.email}.`} mt="sm" />
      {sendsMail && <NewAddress />}
    </Paper>
  )
}

function NewAddress() {
  const form = useForm({ email: '' }, (body) => call(changeEmail, { body }))
  return (
    <form onSubmit={form.submit}>
      <TextInput
        mt="md"
        label="New address"
        description="It replaces the other one when you open the link that is sent to it"
        type="email"
        autoComplete="email"
        required
        {...form.text('email')}
      />
      <Button type="submit" mt="md" variant="default" loading={form.isBusy}>
        Change the address
      </Button>
      <Outcome of={form} done={`A link is on its way to ${form.values.email}.`} mt="sm" />
    </form>
  )
}
