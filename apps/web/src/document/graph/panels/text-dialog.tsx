import { Textarea } from '@mantine/core'
import { FormDialog } from '../../../shell/form.tsx'

interface TextDialogProps {
  title: string
  label: string
  description?: string
  initialText: string
  close: () => void
  /** Saves the text, or returns the message of an invalid one, which the dialog shows. */
  save: (text: string) => string | undefined
}

/** Asks for a text of several lines: the values of an input, an expression. */
export function TextDialog({ title, label, description, initialText, close, save }: TextDialogProps) {
  return (
    <FormDialog
      title={title}
      action="Save"
      close={close}
      initial={{ text: initialText }}
      save={({ text }) => save(text)}
      onSaved={(problem) => problem === undefined && close()}
    >
      {({ text, saved: problem, submit }) => (
        <Textarea
          label={label}
          description={description}
          data-autofocus
          autosize
          minRows={2}
          maxRows={12}
          {...text('text')}
          error={problem}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
          }}
        />
      )}
    </FormDialog>
  )
}
