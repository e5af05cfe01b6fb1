import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError, errorMessage } from '../api/call.ts'
import type { useJoining } from './use-joining.ts'

interface NewAccountFormProps {
  join: ReturnType<typeof useJoining>
  /** There is an account with this e-mail address, and the user wants to sign in with it. */
  onTaken: (email: string) => void
}

/** Creates an account and joins the team with it. */
export function NewAccountForm({ join, onTaken }: NewAccountFormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
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
      <Button type="submit" mt="lg" fullWidth loading={join.isPending}>
        Create account and join
      </Button>
    </form>
  )
}
