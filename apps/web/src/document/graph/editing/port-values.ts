import type { DataTree, DataValue, Node } from '@meadow/contract'
import { createDataTree } from '@meadow/document'

/*
 * The literals of an input as text, one value a line: `2.5`, `true`, `1, 0, 0`, `0 to 10`, `#ff8000`.
 */

type Reader = (text: string) => DataValue | undefined

const readNumber: Reader = (text) => {
  const value = Number(text)
  return text === '' || !Number.isFinite(value) ? undefined : { type: 'number', value }
}

const readInteger: Reader = (text) =>
  /^[-+]?\d+$/.test(text) ? { type: 'integer', value: Number(text) } : undefined

const readBoolean: Reader = (text) =>
  /^(?:true|false)$/i.test(text) ? { type: 'boolean', value: text.toLowerCase() === 'true' } : undefined

const readXyz =
  (type: 'point' | 'vector'): Reader =>
  (text) => {
    const [x, y, z = 0, ...more] = text
      .replace(/^[{(]|[})]$/g, '')
      .split(',')
      .map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
    if (x === undefined || y === undefined || more.length > 0) return undefined
    return [x, y, z].every(Number.isFinite) ? { type, value: [x, y, z] } : undefined
  }

const readDomain: Reader = (text) => {
  const [start, end, ...more] = text.split(/\s+to\s+/i).map((part) => readNumber(part)?.value as number)
  const isWhole = start !== undefined && end !== undefined && more.length === 0
  return isWhole ? { type: 'domain', value: { start, end } } : undefined
}

const readColour: Reader = (text) =>
  /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/i.test(text)
    ? { type: 'colour', value: text.toLowerCase().padEnd(9, 'f') }
    : undefined

const readText: Reader = (value) => ({ type: 'string', value })

/** The readers by the type of the port. The example is for the message about a text that cannot be read. */
const READERS: Readonly<Record<string, readonly [read: Reader, example: string]>> = {
  Number: [readNumber, '2.5'],
  Integer: [readInteger, '3'],
  Boolean: [readBoolean, 'true'],
  Text: [readText, ''],
  Point: [readXyz('point'), '1, 0, 0'],
  Vector: [readXyz('vector'), '1, 0, 0'],
  Domain: [readDomain, '0 to 10'],
  Colour: [readColour, '#ff8000'],
  Data: [(text) => readNumber(text) ?? readBoolean(text) ?? readText(text), ''],
  Variant: [(text) => readNumber(text) ?? readBoolean(text) ?? readText(text), ''],
}

/** Whether the literals of a port can be typed: an input without wires, of a type with a short notation. */
export function mayTypeValues({ inputs, sources, ports, values }: Node, portId: string): boolean {
  const known = values[portId]
  return (
    Object.hasOwn(inputs, portId) &&
    (sources[portId] ?? []).length === 0 &&
    Object.hasOwn(READERS, ports[portId]?.typeName ?? '') &&
    (known === undefined || formatValues(known) !== undefined)
  )
}

/** Returns values as text to be edited; undefined for values that are not a list of the types above. */
export function formatValues({ branches }: DataTree): string | undefined {
  const [branch, ...more] = branches
  if (!branch) return ''
  const lines = more.length === 0 ? branch.values.map(formatValue) : [undefined]
  return lines.includes(undefined) ? undefined : lines.join('\n')
}

function formatValue(value: DataValue | null): string | undefined {
  switch (value?.type) {
    case 'number':
    case 'integer':
    case 'boolean':
    case 'colour':
      return String(value.value)
    case 'string':
      return value.value.includes('\n') ? undefined : value.value
    case 'point':
    case 'vector':
      return value.value.join(', ')
    case 'domain':
      return `${value.value.start} to ${value.value.end}`
    default:
      return undefined
  }
}

/** Returns the tree of typed values, undefined for none, or a message about the first line that cannot be read. */
export function readValues(
  typeName: string,
  text: string,
): { tree: DataTree | undefined } | { error: string } {
  const [read, example] = READERS[typeName] ?? [readText, '']
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const values = (typeName === 'Text' ? text.split(/\r?\n/) : lines.filter((line) => line !== '')).map(read)
  if (text.trim() === '') return { tree: undefined }
  const wrong = values.indexOf(undefined)
  if (wrong >= 0) {
    const line = lines.filter((each) => each !== '')[wrong]
    return { error: `“${line}” is not of the type ${typeName}. An example: ${example}` }
  }
  return { tree: createDataTree([{ path: [0], values: values as DataValue[] }]) }
}
