import { Button, Group, Modal, Select, Textarea } from '@mantine/core'
import type { Node } from '@meadow/contract'
import type { ValueListState } from '@meadow/document'
import { chooseItems, setState } from '@meadow/document/live'
import { useState } from 'react'
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
  const [mode, setMode] = useState(state.mode)
  const [text, setText] = useState(() => formatItems(state.items))
  const items = readItems(text, state.items)
  const save = () => {
    const chosen = items.flatMap(({ isSelected }, index) => (isSelected ? [index] : []))
    edit((doc) =>
      doc.transact(() => {
        setState(doc, node.instanceId, { mode, items }, origin)
        chooseItems(doc, node.instanceId, mode === 'checkList' ? chosen : [chosen[0] ?? 0], origin)
      }, origin),
    )
    close()
  }
  return (
    <Modal opened onClose={close} title="Value list">
      <Textarea
        label="Items"
        description="A line each: name = value. Text stands in quotes."
        autosize
        minRows={5}
        maxRows={18}
        data-autofocus
        spellCheck={false}
        value={text}
        error={items.length === 0 && 'Give at least one item.'}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Select
        mt="sm"
        label="Shown as"
        data={MODES}
        value={mode}
        allowDeselect={false}
        onChange={(next) => setMode(next as ValueListState['mode'])}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button disabled={items.length === 0} onClick={save}>
          Save
        </Button>
      </Group>
    </Modal>
  )
}
