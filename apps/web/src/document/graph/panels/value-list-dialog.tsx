import { Select, Textarea } from '@mantine/core'
import type { Node } from '@meadow/contract'
import type { ValueListState } from '@meadow/document'
import { chooseItems, setState } from '@meadow/document/live'
import { FormDialog } from '../../../shell/form.tsx'
import { useGraph } from '../nodes/graph-context.ts'
import { formatItems, readItems } from './dialog-forms.ts'

const MODES = [
  { value: 'dropDown', label: 'A menu: one item' },
  { value: 'checkList', label: 'A check list: any items' },
  { value: 'sequence', label: 'A sequence: one item' },
  { value: 'cycle', label: 'A cycle: one item' },
]

/** The items of a value list, as text. */
export function ValueListDialog({ node, close }: { node: Node; close: () => void }) {
  const { origin, edit } = useGraph()
  const state = node.state as ValueListState
  return (
    <FormDialog
      title="Value list"
      action="Save"
      close={close}
      initial={{ mode: state.mode, text: formatItems(state.items) }}
      isIncomplete={({ text }) => readItems(text, state.items).length === 0}
      save={({ mode, text }) => {
        const items = readItems(text, state.items)
        const chosen = items.flatMap(({ isSelected }, index) => (isSelected ? [index] : []))
        edit((doc) =>
          doc.transact(() => {
            setState(doc, node.instanceId, { mode, items }, origin)
            chooseItems(doc, node.instanceId, mode === 'checkList' ? chosen : [chosen[0] ?? 0], origin)
          }, origin),
        )
      }}
    >
      {({ values, text, choice }) => (
        <>
          <Textarea
            label="Items"
            description="A line each: name = value. Text stands in quotes."
            autosize
            minRows={5}
            maxRows={18}
            data-autofocus
            spellCheck={false}
            {...text('text')}
            error={readItems(values.text, state.items).length === 0 && 'Give at least one item.'}
          />
          <Select mt="sm" label="Shown as" data={MODES} allowDeselect={false} {...choice('mode')} />
        </>
      )}
    </FormDialog>
  )
}
