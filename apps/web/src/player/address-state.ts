import type { PlayerField } from '@meadow/contract/web'
import type { InputValue, PlayerInput } from '@meadow/document'
import { fitValue, isSameValue } from './player-inputs.ts'

/*
 * The values of a player that differ from the document's, as the query of its address: `?Storeys.3f2a=30&Twist.9b01=90`.
 * What counts is the short id behind the point, so that links outlive a new name. Addresses that people write by hand
 * may have the name alone.
 */

export type InputValues = ReadonlyMap<PlayerInput, InputValue>

/** The number of parameters of an address that are read. */
const MAX_PARAMETERS = 500
const SHORT_ID = 4

/** The names of inputs in addresses, in their order. */
function nameInputs(inputs: readonly PlayerInput[]): string[] {
  const ids = inputs.map(({ port }) => port.portInstanceId.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  return inputs.map(({ label }, index) => {
    const id = ids[index]!
    let length = SHORT_ID
    while (
      length < id.length &&
      ids.some((other, at) => at !== index && other.startsWith(id.slice(0, length)))
    )
      length++
    return `${toWord(label)}.${id.slice(0, length)}`
  })
}

const toWord = (label: string): string =>
  label
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}_-]/gu, ''))
    .filter((word) => word !== '')
    .join('-') || 'input'

/** The query without its question mark; empty for the values of the document. */
export function formatState(inputs: readonly PlayerInput[], values: InputValues): string {
  const names = nameInputs(inputs)
  const query = new URLSearchParams()
  for (const [index, input] of inputs.entries()) {
    const value = values.get(input)
    if (value === undefined || input.field.kind === 'button' || isSameValue(value, input.value)) continue
    for (const text of formatValue(input.field, value)) query.append(names[index]!, text)
  }
  return query.toString()
}

function formatValue(field: PlayerField, value: InputValue): string[] {
  if (field.kind === 'choice') {
    const indices = value as readonly number[]
    return indices.length === 0 ? [''] : indices.map((index) => nameItem(field.items, index))
  }
  if (field.kind === 'colour') return [String(value).replace(/^#/, '').replace(/ff$/, '')]
  return [String(value)]
}

/** The name of an item where it is short and no other item has it, otherwise its number from 1 on. */
function nameItem(items: readonly string[], index: number): string {
  const name = items[index]!
  const isUnique = items.filter((other) => other === name).length === 1
  return isUnique && name.length <= 60 && !/^#\d+$/.test(name) && name !== '' ? name : `#${index + 1}`
}

/** Reads the values in an address, with a sentence about everything in it that is not possible. */
export function readState(
  inputs: readonly PlayerInput[],
  query: string,
): { values: Map<PlayerInput, InputValue>; notes: string[] } {
  const names = nameInputs(inputs)
  const given = new Map<PlayerInput, string[]>()
  const notes: string[] = []
  for (const [name, text] of [...new URLSearchParams(query)].slice(0, MAX_PARAMETERS)) {
    const input = findInput(inputs, names, name)
    if (!input) notes.push(`“${shorten(name)}” is no input of this page.`)
    else given.set(input, [...(given.get(input) ?? []), text])
  }
  const values = new Map<PlayerInput, InputValue>()
  for (const [input, texts] of given) {
    const read = readValue(input.field, texts)
    const value = read === undefined ? undefined : fitValue(input.field, read)
    if (read === undefined || value === undefined) {
      notes.push(`“${input.label}” cannot be “${shorten(texts.join(', '))}”.`)
      continue
    }
    if (!isSameValue(read, value)) notes.push(describeFit(input, value))
    if (!isSameValue(value, input.value)) values.set(input, value)
  }
  return { values, notes }
}

/** Finds an input by the id behind the last point or, without one, by the name if only one input has it. */
function findInput(
  inputs: readonly PlayerInput[],
  names: readonly string[],
  name: string,
): PlayerInput | undefined {
  const id = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const byId = id === undefined ? -1 : names.findIndex((own) => own.endsWith(`.${id}`))
  if (byId >= 0) return inputs[byId]
  const word = toWord(name.replace(/\.[a-z0-9]*$/i, '')).toLowerCase()
  const found = inputs.filter(({ label }) => toWord(label).toLowerCase() === word)
  return found.length === 1 ? found[0] : undefined
}

function readValue(field: PlayerField, texts: readonly string[]): InputValue | undefined {
  const text = texts.at(-1)!.trim()
  switch (field.kind) {
    case 'slider':
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'toggle':
      return /^(true|on|yes|1)$/i.test(text) ? true : /^(false|off|no|0)$/i.test(text) ? false : undefined
    case 'colour':
      return /^#?[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text)
        ? `#${text.replace(/^#/, '').toLowerCase().padEnd(8, 'f')}`
        : undefined
    case 'text':
      return texts.at(-1)
    case 'choice': {
      const indices = texts.filter((each) => each !== '').map((each) => findItem(field.items, each))
      return indices.includes(-1) ? undefined : indices
    }
    default:
      return undefined
  }
}

function findItem(items: readonly string[], text: string): number {
  const number = /^#(\d+)$/.exec(text)?.[1]
  const index = number === undefined ? items.indexOf(text) : Number(number) - 1
  return items[index] === undefined ? -1 : index
}

const describeFit = ({ label, field }: PlayerInput, value: InputValue): string =>
  field.kind === 'text'
    ? `“${label}” was too long and is cut off.`
    : `“${label}” was set to ${String(value)}, which is the nearest value that it can have.`

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
