import { Alert, Button, Group, Modal, Text } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { errorMessage } from '../api/call.ts'

/** Asks for confirmation before a destructive action. */
export function ConfirmDialog({
  isOpen,
  close,
  title,
  text,
  action,
  mutation,
}: {
  isOpen: boolean
  close: () => void
  title: string
  text: string
  /** The label of the confirming button. */
  action: string
  mutation: UseMutationResult<unknown, Error, void>
}) {
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <Text size="sm">{text}</Text>
      {mutation.isError && (
        <Alert color="red" role="alert" mt="sm">
          {errorMessage(mutation.error)}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </Button>
      </Group>
    </Modal>
  )
}
