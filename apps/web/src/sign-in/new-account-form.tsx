import { Alert, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError, errorMessage } from '../api/call.ts'
import { NewPasswordInput } from './new-password-input.tsx'
import type { useJoining } from './use-joining.ts'

interface NewAccountFormProps {
  join: ReturnType<typeof useJoining>
  teamName: string
  /** The address that the invitation was mailed to; may be empty. */
  invited: string
  /** Called when there is an account with this e-mail address, and the user wants to sign in with it. */
  onTaken: (email: string) => void
}

/** Creates an account and joins the team with it. */
export function NewAccountForm({ join, teamName, invited, onTaken }: NewAccountFormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(invited)
  const [password, setPassword] = useState('')
  const isTaken = join.error instanceof ApiError && join.error.status === 409
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        join.mutate({ name, email, password })
      }}
    >
      {join.isError && (
        <Alert color="red" role="alert" mb="sm">
          {errorMessage(join.error)}
          {isTaken && (
            <Button mt="xs" size="xs" variant="light" color="red" fullWidth onClick={() => onTaken(email)}>
              Sign in with this address
            </Button>
          )}
        </Alert>
      )}
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
      <NewPasswordInput
        mt="sm"
        label="Password"
        value={password}
        onChange={setPassword}
        own={{ name, email, teams: [teamName] }}
      />
      <Button type="submit" mt="lg" fullWidth loading={join.isPending}>
        Create account and join
      </Button>
    </form>
  )
}
