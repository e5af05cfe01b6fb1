import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Outcome, useForm } from './form.tsx'

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
  const form = useForm({ typed: '' }, ({ typed }) => run(typed))
  return (
    <Dialog opened title={title} onClose={() => close(form.isSuccess)} size="lg">
      {form.saved ? (
        <Stack>
          <Alert color="meadow">{done}</Alert>
          <Text>What remains, and until when:</Text>
          <List size="sm" spacing="xs">
            {form.saved.map(({ where, until }) => (
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
        <Stack component="form" onSubmit={form.submit}>
          {children}
          <TextInput
            data-autofocus
            label={confirmation.label}
            description={confirmation.text}
            autoComplete="off"
            {...form.text('typed')}
          />
          <Outcome of={form} />
          <Group>
            <Button
              type="submit"
              color="red"
              disabled={form.values.typed !== confirmation.text}
              loading={form.isBusy}
            >
              {action}
            </Button>
            <Button variant="default" onClick={() => close(false)}>
              Cancel
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
