import { Button, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import type { Node } from '@meadow/contract'
import { decodeNumber, type SliderState } from '@meadow/document'
import { useState } from 'react'
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
  const [form, setForm] = useState({
    name: node.nickName,
    minimum,
    maximum,
    decimals,
    interval,
    value: own?.type === 'number' || own?.type === 'integer' ? decodeNumber(own.value) : minimum,
  })
  const error = validateSlider(form)
  const number = (name: 'minimum' | 'maximum' | 'value', label: string) => (
    <NumberInput
      label={label}
      value={form[name]}
      hideControls
      data-autofocus={name === 'value' || undefined}
      onChange={(value) => setForm({ ...form, [name]: value === '' ? Number.NaN : Number(value) })}
    />
  )
  return (
    <Modal opened onClose={close} title="Number slider" size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (error) return
          edit((doc) => saveSlider(doc, node, form, origin))
          close()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            value={form.name}
            onChange={({ currentTarget }) => setForm({ ...form, name: currentTarget.value })}
          />
          <Group grow align="start">
            {number('minimum', 'Lowest')}
            {number('value', 'Value')}
            {number('maximum', 'Highest')}
          </Group>
          <Group grow align="start">
            <Select
              label="Takes"
              data={INTERVALS}
              value={form.interval}
              allowDeselect={false}
              onChange={(next) => setForm({ ...form, interval: next as SliderState['interval'] })}
            />
            <NumberInput
              label="Decimals"
              min={0}
              max={MAX_DECIMALS}
              allowDecimal={false}
              disabled={form.interval !== 'real'}
              value={form.decimals}
              onChange={(value) => setForm({ ...form, decimals: Number(value) })}
            />
          </Group>
        </Stack>
        <Group justify="space-between" mt="lg" wrap="nowrap">
          <span role="alert">{error}</span>
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" disabled={error !== undefined}>
              Save
            </Button>
          </Group>
        </Group>
      </form>
    </Modal>
  )
}
