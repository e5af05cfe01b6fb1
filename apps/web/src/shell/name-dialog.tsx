import { TextInput } from '@mantine/core'
import { FormDialog } from './form.tsx'

interface NameDialogProps {
  title: string
  /** The label of the submit button. */
  action: string
  initialName?: string
  isOpen: boolean
  close: () => void
  /** Saves the name. When this fails, the dialog shows the error and stays open. */
  save: (name: string) => Promise<unknown>
}

/** Asks for a name. */
export function NameDialog({ initialName = '', save, ...dialog }: NameDialogProps) {
  return (
    <FormDialog {...dialog} hasProblemInField initial={{ name: initialName }} save={({ name }) => save(name)}>
      {({ text, problem }) => (
        <TextInput
          label="Name"
          required
          data-autofocus
          {...text('name')}
          error={problem}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
    </FormDialog>
  )
}
