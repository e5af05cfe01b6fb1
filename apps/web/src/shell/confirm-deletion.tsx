import { Alert, Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { errorMessage } from '../api/call.ts'

export interface ConfirmDeletionProps {
  title: string
  /** What follows from the deletion. */
  children: ReactNode
  /** What has to be typed, and what that is. */
  confirmation: { text: string; label: string }
  action: string
  /** Deletes. Resolves with what is still somewhere afterwards. */
  run(typed: string): Promise<readonly { where: string; until: string }[]>
  /** What to say when it is done. */
  done: string
  /** Closes the dialog. `isDone` says whether the deletion happened. */
  close(isDone: boolean): void
}

/** A dialog that deletes something large, once its name was typed, and then says what remains where. */
export function ConfirmDeletion(props: ConfirmDeletionProps) {
  const { title, children, confirmation, action, run, done, close } = props
  const [typed, setTyped] = useState('')
  const deletion = useMutation({ mutationFn: () => run(typed) })
  return (
    <Modal opened title={title} onClose={() => close(deletion.isSuccess)} size="lg">
      {deletion.isSuccess ? (
        <Stack>
          <Alert color="meadow">{done}</Alert>
          <Text>What remains, and until when:</Text>
          <List size="sm" spacing="xs">
            {deletion.data.map(({ where, until }) => (
              <List.Item key={where}>
                {where} ({until})
              </List.Item>
            ))}
          </List>
          <Button w="fit-content" onClick={() => close(true)}>
            Close
          </Button>
        </Stack>
      ) : (
        <Stack
          component="form"
          onSubmit={(event) => {
            event.preventDefault()
            deletion.mutate()
          }}
        >
          {children}
          <TextInput
            data-autofocus
            label={confirmation.label}
            description={confirmation.text}
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <div aria-live="polite">
            {deletion.isError && <Alert color="red">{errorMessage(deletion.error)}</Alert>}
          </div>
          <Group>
            <Button
              type="submit"
              color="red"
              disabled={typed !== confirmation.text}
              loading={deletion.isPending}
            >
              {action}
            </Button>
            <Button variant="default" onClick={() => close(false)}>
              Cancel
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
