import { ColorInput, TextInput } from '@mantine/core'
import type { Group as NodeGroup } from '@meadow/contract'
import { editGroup } from '@meadow/document/live'
import { FormDialog } from '../../../shell/form.tsx'
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
  return (
    <FormDialog
      title="Group"
      size="sm"
      action="Save"
      close={close}
      initial={{ label: group.label, colour: group.colour }}
      isIncomplete={({ colour }) => !COLOUR.test(colour)}
      save={({ label, colour }) =>
        edit((doc) => editGroup(doc, group.id, { label, colour: colour.toLowerCase() }, origin))
      }
    >
      {({ text, choice }) => (
        <>
          <TextInput label="Label" data-autofocus {...text('label')} />
          <ColorInput
            mt="sm"
            label="Colour"
            format="hexa"
            swatches={SWATCHES}
            withEyeDropper={false}
            {...choice('colour')}
          />
        </>
      )}
    </FormDialog>
  )
}
