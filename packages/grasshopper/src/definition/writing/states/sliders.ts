import { type DataValue, decodeNumber, type Xyz } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { ensureChunk, setItem, setItems } from '../../../archive/tree/edit.ts'
import { findItem } from '../../../archive/tree/find.ts'
import { toInt32, toList, toNumber, toRecord, toText } from '../../model/coerce.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { type Change, findNumber } from './change.ts'

const INTERVALS = ['real', 'integer', 'odd', 'even']

export function updateSlider({ container }: DefinitionObject, { member, values }: Change): void {
  const slider = ensureChunk(container, 'Slider')
  member('minimum', (value) => setItem(slider, 'double', 'Min', toNumber(value)))
  member('maximum', (value) => setItem(slider, 'double', 'Max', toNumber(value)))
  member('decimals', (value) => setItem(slider, 'int32', 'Digits', toInt32(value)))
  member('interval', (value) => {
    setItem(slider, 'int32', 'Interval', Math.max(0, INTERVALS.indexOf(String(value))))
  })
  member('snaps', (value) => {
    const snaps = toList(value).map(toText)
    setItems(slider, 'string', 'Snap', snaps)
    setItem(slider, 'int32', 'SnapCount', snaps.length)
  })
  const number = findNumber(values?.[0])
  if (number !== undefined) setItem(slider, 'double', 'Value', number)
}

const AXES = ['x', 'y', 'z'] as const

/** The file holds the position of the grip, which changes with the range although the value stays. */
export function updateMdSlider({ container }: DefinitionObject, { member, values, after }: Change): void {
  let hasMoved = values !== undefined
  for (const axis of AXES) {
    member(axis, (range) => {
      const { start, end } = toRecord(range)
      setItem(container, 'interval1d', `${axis}_domain`, { a: toNumber(start), b: toNumber(end) })
      hasMoved = true
    })
  }
  const chosen = values ?? after.values[after.instanceId]?.branches[0]?.values
  const point = findPoint(chosen?.[0])
  if (hasMoved && point) setGrip(container, point)
}

function findPoint(value: DataValue | null | undefined): Xyz | undefined {
  return value?.type === 'point' ? value.value : undefined
}

function setGrip(container: Chunk, point: Xyz): void {
  const [x, y, z] = AXES.map((axis, i) => {
    const { a, b } = findItem(container, `${axis}_domain`, 'interval1d') ?? { a: 0, b: 1 }
    return a === b ? 0 : (decodeNumber(point[i] ?? 0) - a) / (b - a)
  })
  setItem(container, 'point3d', 'slider_value', { x: toNumber(x), y: toNumber(y), z: toNumber(z) })
}

export function updateKnob({ container }: DefinitionObject, { member, values }: Change): void {
  const dial = ensureChunk(container, 'DialData')
  member('decimals', (value) => setItem(dial, 'int32', 'Decimals', toInt32(value)))
  member('isLimited', (value) => setItem(dial, 'bool', 'Limit', value === true))
  member('minimum', (value) => setDecimal(dial, 'Minimum', toNumber(value)))
  member('maximum', (value) => setDecimal(dial, 'Maximum', toNumber(value)))
  member('range', (value) => setDecimal(dial, 'Range', toNumber(value)))
  const number = findNumber(values?.[0])
  if (number !== undefined) setDecimal(dial, 'Value', number)
}

export function updateGenePool({ container }: DefinitionObject, { member, values }: Change): void {
  const genes = ensureChunk(container, 'GeneData')
  member('decimals', (value) => setItem(genes, 'int32', 'Decimals', toInt32(value)))
  member('minimum', (value) => setDecimal(genes, 'Minimum', toNumber(value)))
  member('maximum', (value) => setDecimal(genes, 'Maximum', toNumber(value)))
  if (!values) return
  const decimals = findDecimals(genes)
  const texts = values.map((value) => findDecimal(findNumber(value) ?? 0, decimals) ?? '0')
  setItems(genes, 'decimal', 'Value', texts)
  setItem(genes, 'int32', 'Count', texts.length)
}

function setDecimal(chunk: Chunk, name: string, number: number): void {
  const text = findDecimal(number, findDecimals(chunk))
  if (text !== undefined) setItem(chunk, 'decimal', name, text)
}

function findDecimals(chunk: Chunk): number {
  return findItem(chunk, 'Decimals', 'int32') ?? 0
}

const SCIENTIFIC = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/
/** The number of digits that .NET's decimal can always represent. */
const MAX_DIGITS = 28

/**
 * Returns the text of a decimal item with at least `decimals` decimals; undefined if a decimal cannot hold the number.
 */
export function findDecimal(number: number, decimals: number): string | undefined {
  if (!Number.isFinite(number)) return undefined
  const [whole = '', fraction = ''] = writeOut(number).split('.')
  if (whole.length + fraction.length > MAX_DIGITS) return undefined
  const room = MAX_DIGITS - whole.length
  const padded = fraction.padEnd(Math.min(Math.max(0, decimals), room), '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** The shortest text that reads back, without an exponent. */
function writeOut(number: number): string {
  const text = String(number)
  const match = SCIENTIFIC.exec(text)
  if (!match) return text
  const [, sign = '', first = '', rest = '', power = ''] = match
  const exponent = Number(power)
  const digits = first + rest
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return sign + digits.padEnd(exponent + 1, '0')
}
