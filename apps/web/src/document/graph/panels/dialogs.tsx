import { ColorInput, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { GraphContent, Node, Group as NodeGroup } from '@meadow/contract'
import { decodeNumber, type SliderState, type ValueListState } from '@meadow/document'
import { chooseItems, editGroup, setState } from '@meadow/document/live'
import { FormDialog } from '../../../shell/form.tsx'
import { shapeOf } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { findOwnValue } from '../nodes/node-values.ts'
import { formatItems, readItems, readSlider, saveSlider, validateSlider } from './dialog-forms.ts'

/**
 * The dialog of a slider, a value list or a group. Renders nothing for another id. It saves what was changed in it, so that
 * what others change meanwhile stays.
 */
export function Dialogs({
  id,
  content,
  close,
}: {
  id: string | undefined
  content: GraphContent
  close: () => void
}) {
  if (id === undefined) return null
  const node = content.nodes[id]
  const group = content.groups.find((group) => group.id === id)
  if (group) return <GroupDialog group={group} close={close} />
  if (node && shapeOf(node) === 'slider') return <SliderDialog node={node} close={close} />
  if (node && shapeOf(node) === 'valueList') return <ValueListDialog node={node} close={close} />
  return null
}

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
function GroupDialog({ group, close }: { group: NodeGroup; close: () => void }) {
  const { origin, edit } = useGraph()
  return (
    <FormDialog
      title="Group"
      size="sm"
      action="Save"
      close={close}
      initial={{ label: group.label, colour: group.colour }}
      isIncomplete={({ colour }) => !COLOUR.test(colour)}
      save={({ colour }, changed) => {
        const edited = changed.colour === undefined ? changed : { ...changed, colour: colour.toLowerCase() }
        return edit((doc) => editGroup(doc, group.id, edited, origin))
      }}
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

const MODES = [
  { value: 'dropDown', label: 'A menu: one item' },
  { value: 'checkList', label: 'A check list: any items' },
  { value: 'sequence', label: 'A sequence: one item' },
  { value: 'cycle', label: 'A cycle: one item' },
]

/** The items of a value list, as text. */
function ValueListDialog({ node, close }: { node: Node; close: () => void }) {
  const { origin, edit } = useGraph()
  const state = node.state as ValueListState
  return (
    <FormDialog
      title="Value list"
      action="Save"
      close={close}
      initial={{ mode: state.mode, text: formatItems(state.items) }}
      isIncomplete={({ text }) => readItems(text, state.items).length === 0}
      save={(_, { mode = state.mode, text = formatItems(state.items) }) => {
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

const INTERVALS = [
  { value: 'real', label: 'Any numbers' },
  { value: 'integer', label: 'Whole numbers' },
  { value: 'even', label: 'Even numbers' },
  { value: 'odd', label: 'Odd numbers' },
]
const MAX_DECIMALS = 12

/** The name, range and steps of a slider. */
function SliderDialog({ node, close }: { node: Node; close: () => void }) {
  const { origin, edit } = useGraph()
  const own = findOwnValue(node)
  const { minimum, maximum, decimals, interval } = node.state as SliderState
  const initial = {
    name: node.nickName,
    minimum: String(minimum),
    maximum: String(maximum),
    decimals,
    interval,
    value: String(own?.type === 'number' || own?.type === 'integer' ? decodeNumber(own.value) : minimum),
  }
  return (
    <FormDialog
      title="Number slider"
      size="sm"
      action="Save"
      close={close}
      initial={initial}
      isIncomplete={(values) => validateSlider(readSlider(values)) !== undefined}
      save={(values, changed) => {
        const merged = readSlider({ ...initial, ...changed })
        const form = validateSlider(merged) === undefined ? merged : readSlider(values)
        return edit((doc) => saveSlider(doc, node, form, origin))
      }}
    >
      {(form) => {
        const number = (name: 'minimum' | 'maximum' | 'value', label: string) => (
          <TextInput label={label} data-autofocus={name === 'value' || undefined} {...form.text(name)} />
        )
        return (
          <Stack gap="sm">
            <TextInput label="Name" {...form.text('name')} />
            <Group grow align="start">
              {number('minimum', 'Lowest')}
              {number('value', 'Value')}
              {number('maximum', 'Highest')}
            </Group>
            <Group grow align="start">
              <Select label="Takes" data={INTERVALS} allowDeselect={false} {...form.choice('interval')} />
              <NumberInput
                label="Decimals"
                min={0}
                max={MAX_DECIMALS}
                allowDecimal={false}
                disabled={form.values.interval !== 'real'}
                value={form.values.decimals}
                onChange={(value) => form.set({ decimals: Number(value) })}
              />
            </Group>
            <span role="alert">{validateSlider(readSlider(form.values))}</span>
          </Stack>
        )
      }}
    </FormDialog>
  )
}
