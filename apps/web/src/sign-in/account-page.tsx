import {
  Alert,
  Anchor,
  Button,
  Paper,
  PasswordInput,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { changeMe, changePassword } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, errorMessage } from '../api/call.ts'
import { meQuery, waysToSignInQuery } from '../api/queries.ts'
import { CharacterKeysSwitch } from '../document/character-keys-switch.tsx'
import { useMe } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import { AddressSection } from './address-section.tsx'
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
  const [name, setName] = useState(person.name)
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: () => call(changeMe, { body: { name } }),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  })
  return (
    <Paper
      component="form"
      withBorder
      p="md"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <TextInput
        label="Name"
        description="Your team sees it"
        required
        value={name}
        error={change.error && errorMessage(change.error)}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" mt="md" loading={change.isPending} disabled={name === person.name}>
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
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useMutation({
    mutationFn: () => call(changePassword, { body: { current, next } }),
    onSuccess() {
      setCurrent('')
      setNext('')
    },
  })
  return (
    <Paper
      component="form"
      withBorder
      p="md"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Title order={2} size="h4">
        Password
      </Title>
      <PasswordInput
        mt="sm"
        label="Current password"
        autoComplete="current-password"
        required
        value={current}
        onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
      />
      <NewPasswordInput
        mt="sm"
        label="New password"
        note="Your other sessions end."
        value={next}
        onChange={setNext}
        own={{ ...person, teams: teams.map(({ name }) => name) }}
      />
      <Button type="submit" mt="md" loading={change.isPending}>
        Change the password
      </Button>
      <div aria-live="polite">
        {change.isError && (
          <Alert color="red" mt="md">
            {errorMessage(change.error)}
          </Alert>
        )}
        {change.isSuccess && (
          <Alert color="meadow" mt="md">
            The password is changed.
          </Alert>
        )}
      </div>
    </Paper>
  )
}
