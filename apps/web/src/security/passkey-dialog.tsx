import { Alert, Button, Modal, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../api/call.ts'
import { makePasskey } from '../sign-in/passkey.ts'
import { describeAgent } from './describe-agent.ts'

/** Makes a passkey on this device, or on a security key, and adds it. */
export function PasskeyDialog({
  close,
  onAdded,
}: {
  close: () => void
  onAdded: (recoveryCodes: readonly string[] | null) => void
}) {
  const [name, setName] = useState(() => describeAgent(navigator.userAgent))
  const add = useMutation({
    mutationFn: () => makePasskey(name),
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  })
  return (
    <Modal opened onClose={close} title="Add a passkey">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <Text size="sm">
          Your browser asks for your fingerprint, face, PIN or security key. A passkey works at this address
          only: it cannot be typed into a page that imitates it.
        </Text>
        {add.isError && (
          <Alert color="red" role="alert" mt="md">
            {errorMessage(add.error)}
          </Alert>
        )}
        <TextInput
          mt="md"
          label="Name"
          description="To distinguish it from others"
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" mt="lg" fullWidth loading={add.isPending}>
          Add the passkey
        </Button>
      </form>
    </Modal>
  )
}
