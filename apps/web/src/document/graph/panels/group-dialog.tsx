import { Button, ColorInput, Group, Modal, TextInput } from '@mantine/core'
import type { Group as NodeGroup } from '@meadow/contract'
import { editGroup } from '@meadow/document/live'
import { useState } from 'react'
import { useGraph } from '../nodes/graph-context.ts'

const SWATCHES = [
  '#96969664',
  '#f0c83c64',
  '#e6825a64',
  '#dc5a6e64',
  '#b478c864',
  '#5a8cdc64',
  '#46b4aa64',
  '#6ebe5a64',
]
const COLOUR = /^#[\da-f]{8}$/i

/** The label and colour of a group. */
export function GroupDialog({ group, close }: { group: NodeGroup; close: () => void }) {
  const { origin, edit } = useGraph()
  const [label, setLabel] = useState(group.label)
  const [colour, setColour] = useState(group.colour)
  return (
    <Modal opened onClose={close} title="Group" size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          edit((doc) => editGroup(doc, group.id, { label, colour: colour.toLowerCase() }, origin))
          close()
        }}
      >
        <TextInput
          label="Label"
          data-autofocus
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <ColorInput
          mt="sm"
          label="Colour"
          format="hexa"
          swatches={SWATCHES}
          withEyeDropper={false}
          value={colour}
          onChange={setColour}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={!COLOUR.test(colour)}>
            Save
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
