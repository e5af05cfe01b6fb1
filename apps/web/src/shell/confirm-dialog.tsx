import { Text } from '@mantine/core'
import { FormDialog } from './form.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  close: () => void
  title: string
  text: string
  /** The label of the confirming button. */
  action: string
  run: () => Promise<unknown>
}

/** Asks for confirmation before a destructive action, and closes when that is done. */
export function ConfirmDialog({ text, run, ...dialog }: ConfirmDialogProps) {
  return (
    <FormDialog {...dialog} isDestructive initial={{}} save={run}>
      <Text size="sm">{text}</Text>
    </FormDialog>
  )
}
