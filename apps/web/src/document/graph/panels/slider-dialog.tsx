import { Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import type { Node } from '@meadow/contract'
import { decodeNumber, type SliderState } from '@meadow/document'
import { FormDialog } from '../../../shell/form.tsx'
import { useGraph } from '../nodes/graph-context.ts'
import { findOwnValue } from '../nodes/node-values.ts'
import { saveSlider, validateSlider } from './dialog-forms.ts'

const INTERVALS = [
  { value: 'real', label: 'Any numbers' },
  { value: 'integer', label: 'Whole numbers' },
  { value: 'even', label: 'Even numbers' },
  { value: 'odd', label: 'Odd numbers' },
]
const MAX_DECIMALS = 12

/** The name, range and steps of a slider. */
export function SliderDialog({ node, close }: { node: Node; close: () => void }) {
  const { origin, edit } = useGraph()
  const own = findOwnValue(node)
  const { minimum, maximum, decimals, interval } = node.state as SliderState
  const initial = {
    name: node.nickName,
    minimum,
    maximum,
    decimals,
    interval,
    value: own?.type === 'number' || own?.type === 'integer' ? decodeNumber(own.value) : minimum,
  }
  return (
    <FormDialog
      title="Number slider"
      size="sm"
      action="Save"
      close={close}
      initial={initial}
      isIncomplete={(values) => validateSlider(values) !== undefined}
      save={(values) => edit((doc) => saveSlider(doc, node, values, origin))}
    >
      {(form) => {
        const number = (name: 'minimum' | 'maximum' | 'value', label: string) => (
          <NumberInput
            label={label}
            value={form.values[name]}
            hideControls
            data-autofocus={name === 'value' || undefined}
            onChange={(value) => form.set({ [name]: value === '' ? Number.NaN : Number(value) })}
          />
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
            <span role="alert">{validateSlider(form.values)}</span>
          </Stack>
        )
      }}
    </FormDialog>
  )
}
