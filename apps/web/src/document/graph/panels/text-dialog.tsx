import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'

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
  const [text, setText] = useState(initialText)
  const [problem, setProblem] = useState<string>()
  const submit = () => {
    const message = save(text)
    setProblem(message)
    if (message === undefined) close()
  }
  return (
    <Modal opened onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Textarea
          label={label}
          description={description}
          data-autofocus
          autosize
          minRows={2}
          maxRows={12}
          value={text}
          error={problem}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
          }}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">Save</Button>
        </Group>
      </form>
    </Modal>
  )
}
