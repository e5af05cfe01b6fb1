import {
  Anchor,
  Button,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { changeEmail, changeMe, changePassword, requestConfirmation } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call, errorMessage } from '../api/call.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { CharacterKeysSwitch } from '../document/keys/character-keys-switch.tsx'
import { Outcome, useForm } from '../shell/form.tsx'
import { useMe } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import { DeleteAccount, DeletedTeams } from './deletions.tsx'
import { NewPasswordInput } from './new-password-input.tsx'

/** The user's name and password. */
export function AccountPage() {
  useTitle('Account')
  const { hasPassword } = useMe()
  return (
    <Stack maw={480} mx="auto">
      <Title order={1} size="h2">
        Account
      </Title>
      <DeletedTeams />
      <AddressSection />
      <ChangeName />
      <MailSettings />
      <KeySettings />
      {hasPassword && <ChangePassword />}
      <Paper withBorder p="md">
        <Title order={2} size="h4">
          Security
        </Title>
        <Anchor component={Link} to="/account/security" mt="sm" display="inline-block">
          Second factors and sessions
        </Anchor>
      </Paper>
      <DeleteAccount />
    </Stack>
  )
}

function ChangeName() {
  const { person } = useMe()
  const queryClient = useQueryClient()
  const form = useForm(
    { name: person.name },
    (body) => call(changeMe, { body }),
    (me) => queryClient.setQueryData(meQuery.queryKey, me),
  )
  return (
    <Paper component="form" withBorder p="md" onSubmit={form.submit}>
      <TextInput
        label="Name"
        description="Your team sees it"
        required
        {...form.text('name')}
        error={form.problem}
      />
      <Button type="submit" mt="md" loading={form.isBusy} disabled={form.values.name === person.name}>
        Save
      </Button>
    </Paper>
  )
}

/** The choice of mails that the user gets, if the server sends mails. */
function MailSettings() {
  const { mentionMails } = useMe()
  const ways = useQuery(waysToSignInQuery)
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (mentionMails: boolean) => call(changeMe, { body: { mentionMails } }),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  })
  if (!ways.data?.mail) return null
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        Mails
      </Title>
      <Switch
        mt="sm"
        label="When a comment mentions me"
        checked={change.isPending ? change.variables : mentionMails}
        error={change.error && errorMessage(change.error)}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
    </Paper>
  )
}

/** The settings of the keyboard, which are remembered in this browser. */
function KeySettings() {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        Keyboard
      </Title>
      <CharacterKeysSwitch />
      <Text size="sm" c="dimmed" mt="xs">
        This browser remembers it.
      </Text>
    </Paper>
  )
}

function ChangePassword() {
  const { person, teams } = useMe()
  const empty = { current: '', next: '' }
  const form = useForm(
    empty,
    (body) => call(changePassword, { body }),
    (_, set) => set(empty),
  )
  return (
    <Paper component="form" withBorder p="md" onSubmit={form.submit}>
      <Title order={2} size="h4">
        Password
      </Title>
      <PasswordInput
        mt="sm"
        label="Current password"
        autoComplete="current-password"
        required
        {...form.text('current')}
      />
      <NewPasswordInput
        mt="sm"
        label="New password"
        note="Your other sessions end."
        {...form.choice('next')}
        own={{ ...person, teams: teams.map(({ name }) => name) }}
      />
      <Button type="submit" mt="md" loading={form.isBusy}>
        Change the password
      </Button>
      <Outcome of={form} done="The password is changed." mt="md" />
    </Paper>
  )
}

/** The user's address: whether it is confirmed, and a new one where mails are sent. */
function AddressSection() {
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
