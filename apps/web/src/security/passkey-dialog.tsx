import { Text, TextInput } from '@mantine/core'
import { FormDialog } from '../shell/form.tsx'
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
  return (
    <FormDialog
      title="Add a passkey"
      action="Add the passkey"
      close={close}
      initial={{ name: describeAgent(navigator.userAgent) }}
      save={({ name }) => makePasskey(name)}
      onSaved={({ recoveryCodes }) => onAdded(recoveryCodes)}
    >
      {({ text }) => (
        <>
          <Text size="sm">
            Your browser asks for your fingerprint, face, PIN or security key. A passkey works at this address
            only: it cannot be typed into a page that imitates it.
          </Text>
          <TextInput
            mt="md"
            label="Name"
            description="To distinguish it from others"
            required
            data-autofocus
            {...text('name')}
          />
        </>
      )}
    </FormDialog>
  )
}
