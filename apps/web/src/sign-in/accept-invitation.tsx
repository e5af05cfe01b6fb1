import { Alert, Button, Loader, PasswordInput, Text, TextInput } from '@mantine/core'
import { acceptInvitation, lookAtInvitation } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call, errorMessage } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'
import { CardPage } from './card-page.tsx'

/** The page of an invitation link. The secret is in the fragment, which browsers do not send to servers. */
export function AcceptInvitation() {
  const secret = useLocation().hash.slice(1)
  const me = useQuery(meQuery)
  const invitation = useQuery({
    queryKey: [lookAtInvitation.name, secret],
    queryFn: () => call(lookAtInvitation, { body: { secret } }),
    retry: false,
  })
  if (invitation.isError)
    return (
      <CardPage title="Invitation">
        <Alert color="red" role="alert">
          {errorMessage(invitation.error)}
        </Alert>
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
      <Join secret={secret} person={me.data?.person.name} />
    </CardPage>
  )
}

/** Joins with the account of `person`, the signed-in user, or creates an account when undefined. */
function Join({ secret, person }: { secret: string; person: string | undefined }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const join = useMutation({
    mutationFn: () =>
      call(acceptInvitation, { body: person ? { secret } : { secret, account: { name, email, password } } }),
    async onSuccess({ teamId, me }) {
      queryClient.setQueryData(meQuery.queryKey, me)
      await navigate(`/teams/${teamId}`, { replace: true })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        join.mutate()
      }}
    >
      {join.isError && (
        <Alert color="red" role="alert" mb="sm">
          {errorMessage(join.error)}
        </Alert>
      )}
      {!person && (
        <>
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            mt="sm"
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <PasswordInput
            mt="sm"
            label="Password"
            description="8 to 128 characters"
            autoComplete="new-password"
            required
            minLength={8}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </>
      )}
      <Button type="submit" mt="lg" fullWidth loading={join.isPending}>
        {person ? `Join as ${person}` : 'Make an account and join'}
      </Button>
    </form>
  )
}
