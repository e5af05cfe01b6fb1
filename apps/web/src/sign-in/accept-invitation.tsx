import { Alert, Anchor, Button, Loader, SegmentedControl, Text, TextInput } from '@mantine/core'
import { lookAtInvitation, type Person, signOut } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError, call, errorMessage } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'
import { Problem, useForm } from '../shell/form.tsx'
import { CardPage } from './card-page.tsx'
import { NewPasswordInput } from './new-password-input.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { STORED_SECRET, useJoining } from './use-joining.ts'

/** The page of an invitation link. The secret is in the fragment, which browsers do not send to servers. */
export function AcceptInvitation() {
  const secret = useLocation().hash.slice(1) || (sessionStorage.getItem(STORED_SECRET) ?? '')
  const me = useQuery(meQuery)
  const invitation = useQuery({
    queryKey: [lookAtInvitation.path, secret],
    queryFn: () => call(lookAtInvitation, { body: { secret } }),
    enabled: secret !== '',
    retry: false,
    // An invitation that was used is an error, so it is not read again when the window gets the focus.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (secret === '' || invitation.isError)
    return (
      <CardPage title="Invitation">
        <Alert color="red" role="alert">
          {secret === ''
            ? 'This is not the whole link of an invitation. Open the link that you were given.'
            : errorMessage(invitation.error)}
        </Alert>
        {invitation.isError && !isRejected(invitation.error) ? (
          <Button variant="default" onClick={() => void invitation.refetch()}>
            Try again
          </Button>
        ) : (
          <Anchor component={Link} to="/" ta="center">
            {me.data ? 'Go to your team' : 'Sign in'}
          </Anchor>
        )}
      </CardPage>
    )
  if (!invitation.data || me.isPending)
    return (
      <CardPage title="Invitation">
        <Loader aria-label="Loading" />
      </CardPage>
    )
  return (
    <CardPage title={`Join ${invitation.data.teamName}`}>
      <Text>You are invited as {invitation.data.role}.</Text>
      {me.data ? (
        <JoinAs secret={secret} person={me.data.person} />
      ) : (
        <WhoAreYou
          secret={secret}
          teamName={invitation.data.teamName}
          invited={invitation.data.email ?? ''}
        />
      )}
    </CardPage>
  )
}

const isRejected = (error: Error) => error instanceof ApiError && error.status > 0 && error.status < 500

/** Asks a person who is signed in whether to join with this account. */
function JoinAs({ secret, person }: { secret: string; person: Person }) {
  const join = useJoining(secret)
  const isMember = join.error instanceof ApiError && join.error.status === 409
  return (
    <>
      <Problem error={join.error} color={isMember ? 'blue' : 'red'} />
      {isMember ? (
        <Button component={Link} to="/">
          Go to your team
        </Button>
      ) : (
        <Button loading={join.isPending} onClick={() => join.mutate(undefined)}>
          Join as {person.name}
        </Button>
      )}
      <Text size="sm" c="dimmed" ta="center" className="long-text">
        You are signed in as {person.email}.
      </Text>
      <SwitchAccount />
    </>
  )
}

/** Signs out and stays on the page, which then asks who is there. */
function SwitchAccount() {
  const queryClient = useQueryClient()
  const signingOut = useMutation({
    mutationFn: () => call(signOut),
    onSuccess() {
      queryClient.setQueryData(meQuery.queryKey, null)
      // Cached data must not be shown to the next user.
      const kept = [meQuery.queryKey[0], lookAtInvitation.path]
      queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.includes(String(queryKey[0])) })
    },
  })
  return (
    <>
      <Problem error={signingOut.error} />
      <Button variant="subtle" loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
        Use another account
      </Button>
    </>
  )
}

/** Asks people who are not signed in for an account: a new one, or their own. */
function WhoAreYou({ secret, teamName, invited }: { secret: string; teamName: string; invited: string }) {
  const [way, setWay] = useState<'new' | 'own'>('new')
  const [email, setEmail] = useState(invited)
  const join = useJoining(secret)
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Your account"
        value={way}
        onChange={(next) => setWay(next as typeof way)}
        data={[
          { value: 'new', label: 'New account' },
          { value: 'own', label: 'I have an account' },
        ]}
      />
      {way === 'own' ? (
        <SignInForm
          to="/invitation"
          initialEmail={email}
          onLeave={() => sessionStorage.setItem(STORED_SECRET, secret)}
        />
      ) : (
        <NewAccountForm
          join={join}
          teamName={teamName}
          invited={invited}
          onTaken={(taken) => {
            setEmail(taken)
            setWay('own')
          }}
        />
      )}
    </>
  )
}

interface NewAccountFormProps {
  join: ReturnType<typeof useJoining>
  teamName: string
  /** The address that the invitation was mailed to; may be empty. */
  invited: string
  /** Called when there is an account with this e-mail address, and the user wants to sign in with it. */
  onTaken: (email: string) => void
}

/** Creates an account and joins the team with it. */
function NewAccountForm({ join, teamName, invited, onTaken }: NewAccountFormProps) {
  const form = useForm({ name: '', email: invited, password: '' }, (account) => join.mutateAsync(account))
  const { name, email } = form.values
  const isTaken = form.error instanceof ApiError && form.error.status === 409
  return (
    <form onSubmit={form.submit}>
      <Problem error={form.error} mb="sm">
        {isTaken && (
          <Button mt="xs" size="xs" variant="light" color="red" fullWidth onClick={() => onTaken(email)}>
            Sign in with this address
          </Button>
        )}
      </Problem>
      <TextInput label="Your name" autoComplete="name" required {...form.text('name')} />
      <TextInput
        mt="sm"
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        {...form.text('email')}
      />
      <NewPasswordInput
        mt="sm"
        label="Password"
        {...form.choice('password')}
        own={{ name, email, teams: [teamName] }}
      />
      <Button type="submit" mt="lg" fullWidth loading={form.isBusy}>
        Create account and join
      </Button>
    </form>
  )
}
