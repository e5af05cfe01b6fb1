import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../api/call.ts'

interface NameDialogProps {
  title: string
  /** The label of the submit button. */
  action: string
  initialName?: string
  isOpen: boolean
  close: () => void
  /** Saves the name. When this fails, the dialog shows the error and stays open. */
  save: (name: string) => Promise<void>
}

/** Asks for a name. */
export function NameDialog({ isOpen, ...props }: NameDialogProps) {
  return (
    <Modal opened={isOpen} onClose={props.close} title={props.title}>
      <NameForm {...props} />
    </Modal>
  )
}

function NameForm({ action, initialName = '', close, save }: Omit<NameDialogProps, 'isOpen'>) {
  const [name, setName] = useState(initialName)
  const saving = useMutation({ mutationFn: () => save(name), onSuccess: close })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        error={saving.error && errorMessage(saving.error)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {action}
        </Button>
      </Group>
    </form>
  )
}
