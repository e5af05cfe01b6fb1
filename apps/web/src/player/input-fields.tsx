import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SegmentedControl,
  Slider,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { PlayerField } from '@meadow/contract/web'
import type { InputValue, PlayerInput } from '@meadow/document'
import { useState } from 'react'
import { IconRestore } from '../shell/icons.ts'
import { readNumber } from '../shell/read-number.ts'
import styles from './player.module.css'
import { fitValue, isSameValue, MAX_TEXT } from './player-inputs.ts'

interface FieldProps {
  input: PlayerInput
  value: InputValue
  onChange: (value: InputValue) => void
}

/**
 * An input with its label and, where its value is not the document's, a button that brings it back. `isFixed`: the value is
 * only shown.
 */
export function InputField({ isFixed, ...props }: FieldProps & { isFixed: boolean }) {
  const { input, value, onChange } = props
  const isChanged = input.field.kind !== 'button' && !isSameValue(value, input.value)
  return (
    <div className={styles.field} data-changed={isChanged || undefined} data-input={input.label}>
      <Group gap={4} wrap="nowrap" justify="space-between" mih={28}>
        <Text size="sm" fw={500} className={styles.label} id={idOf(input)}>
          {input.label}
        </Text>
        {isChanged && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`Reset ${input.label}`}
            title="As in the document"
            onClick={() => onChange(input.value)}
          >
            <IconRestore size={16} />
          </ActionIcon>
        )}
      </Group>
      {isFixed ? <Text size="sm">{describeInput(input.field, value)}</Text> : <Control {...props} />}
    </div>
  )
}

const idOf = ({ port }: PlayerInput) => `label-${port.portInstanceId}`

function Control(props: FieldProps) {
  const { input, value, onChange } = props
  const { field, label } = input
  switch (field.kind) {
    case 'slider':
      return <SliderControl {...props} />
    case 'number':
      return <NumberControl {...props} />
    case 'toggle':
      return (
        <Switch
          aria-label={label}
          label={value === true ? 'On' : 'Off'}
          checked={value === true}
          className={styles.switch ?? ''}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'choice':
      return <ChoiceControl {...props} />
    case 'colour':
      return (
        <TextInput
          type="color"
          aria-label={label}
          className={styles.colour ?? ''}
          value={String(value).slice(0, 7)}
          // The picker of the browser has no opacity: that of the document stays.
          onChange={({ currentTarget }) => onChange(`${currentTarget.value}${String(value).slice(7)}`)}
        />
      )
    case 'text':
      return field.isMultiline ? (
        <Textarea
          aria-label={label}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={MAX_TEXT}
          value={String(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <TextInput
          aria-label={label}
          maxLength={MAX_TEXT}
          value={String(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    case 'button':
      return (
        <Button
          variant={value === true ? 'filled' : 'default'}
          aria-pressed={value === true}
          onPointerDown={() => onChange(true)}
          onPointerUp={() => onChange(false)}
          onPointerLeave={() => value === true && onChange(false)}
          onKeyDown={({ key, repeat }) => !repeat && [' ', 'Enter'].includes(key) && onChange(true)}
          onKeyUp={({ key }) => [' ', 'Enter'].includes(key) && onChange(false)}
          onBlur={() => value === true && onChange(false)}
        >
          Press
        </Button>
      )
    default:
      return (
        <Text size="sm" c="dimmed">
          {field.reason}
        </Text>
      )
  }
}

/** Describes a value that cannot be changed. */
function describeInput(field: PlayerField, value: InputValue): string {
  switch (field.kind) {
    case 'slider':
      return Number(value).toFixed(field.decimals)
    case 'toggle':
      return value === true ? 'On' : 'Off'
    case 'choice':
      return (value as readonly number[]).map((index) => field.items[index]).join(', ') || 'Nothing'
    case 'button':
      return 'Not pressed'
    case 'fixed':
      return field.reason
    default:
      return String(value)
  }
}

/** A slider with a field for the exact number. */
function SliderControl({ input, value, onChange }: FieldProps) {
  const { field, label } = input
  if (field.kind !== 'slider') return null
  const { minimum, maximum, step } = field
  return (
    <Group gap="sm" wrap="nowrap" className={styles.slider}>
      <Slider
        flex={1}
        miw={0}
        thumbLabel={label}
        label={null}
        min={minimum}
        max={maximum}
        step={step}
        value={value as number}
        onChange={(next) => {
          const fitted = fitValue(field, next)
          if (fitted !== undefined && fitted !== value) onChange(fitted)
        }}
      />
      <NumberControl input={input} value={value} onChange={onChange} />
    </Group>
  )
}

/** A field for a number. What is typed counts once it is one that the input can have. Arrow keys step. */
function NumberControl({ input, value, onChange }: FieldProps) {
  const { field, label } = input
  const format = (number: number) =>
    field.kind === 'slider' ? number.toFixed(field.decimals) : String(number)
  const [typed, setTyped] = useState<string>()
  if (field.kind !== 'slider' && field.kind !== 'number') return null
  const isSlider = field.kind === 'slider'
  const step = (steps: number) => {
    const next = fitValue(field, (value as number) + steps * (isSlider ? field.step : 1))
    setTyped(undefined)
    if (next !== undefined) onChange(next)
  }
  return (
    <TextInput
      aria-label={isSlider ? `${label}, as a number` : label}
      className={isSlider ? (styles.number ?? '') : ''}
      inputMode={(field.minimum ?? -1) >= 0 ? 'decimal' : 'text'}
      value={typed ?? format(value as number)}
      error={typed !== undefined && Number.isNaN(readNumber(typed))}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        const number = readNumber(currentTarget.value)
        // What is out of range while it is typed may be the beginning of a number that is not.
        if (fitValue(field, number) === number) onChange(number)
      }}
      onKeyDown={(event) => {
        const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key]
        if (steps !== undefined) {
          event.preventDefault()
          step(steps)
        }
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
      onBlur={() => {
        const fitted = typed === undefined ? undefined : fitValue(field, readNumber(typed))
        setTyped(undefined)
        if (fitted !== undefined && fitted !== value) onChange(fitted)
      }}
    />
  )
}

/** Few and short items are side by side, others in a list. */
const MAX_SEGMENTS = 4
const MAX_SEGMENTED_LENGTH = 28

function ChoiceControl({ input, value, onChange }: FieldProps) {
  const { field, label } = input
  if (field.kind !== 'choice') return null
  const chosen = value as readonly number[]
  const data = field.items.map((item, index) => ({
    value: String(index),
    label: item || `Item ${index + 1}`,
  }))
  if (field.isMultiple)
    return (
      <Stack gap={6} role="group" aria-labelledby={idOf(input)}>
        {data.map(({ value: index, label }) => (
          <Checkbox
            key={index}
            label={label}
            checked={chosen.includes(Number(index))}
            onChange={({ currentTarget: { checked } }) =>
              onChange(
                checked
                  ? [...chosen, Number(index)].sort((a, b) => a - b)
                  : chosen.filter((other) => other !== Number(index)),
              )
            }
          />
        ))}
      </Stack>
    )
  const length = field.items.reduce((sum, item) => sum + item.length, 0)
  if (data.length > 1 && data.length <= MAX_SEGMENTS && length <= MAX_SEGMENTED_LENGTH)
    return (
      <SegmentedControl
        fullWidth
        aria-label={label}
        data={data}
        value={String(chosen[0] ?? '')}
        onChange={(index) => onChange([Number(index)])}
      />
    )
  return (
    <NativeSelect
      aria-label={label}
      data={chosen[0] === undefined ? [{ value: '', label: '' }, ...data] : data}
      value={String(chosen[0] ?? '')}
      onChange={({ currentTarget }) => currentTarget.value !== '' && onChange([Number(currentTarget.value)])}
    />
  )
}
