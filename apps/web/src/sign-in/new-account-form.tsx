import { Button, TextInput } from '@mantine/core'
import { ApiError } from '../api/call.ts'
import { Problem, useForm } from '../shell/form.tsx'
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
  const form = useForm({ name: '', email: invited, password: '' }, join.mutateAsync)
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
