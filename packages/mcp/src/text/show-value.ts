import type { DataTree, DataValue } from '@meadow/client'

/** The number of significant digits that are shown: the exact number is in the solution. */
const DIGITS = 6

/** Shows a number with at most six significant digits. `NaN` and the infinities are texts. */
export const showNumber = (value: number | string): string =>
  typeof value === 'string' ? value : String(Number(value.toPrecision(DIGITS)))

/** Coordinates smaller than this are zeros that were not computed exactly. */
const NEGLIGIBLE = 1e-9

const showXyz = (xyz: readonly (number | string)[]): string =>
  `(${xyz.map((each) => showNumber(Math.abs(Number(each)) < NEGLIGIBLE ? 0 : each)).join(',')})`

/** Quotes a text on one line, with at most `maxLength` characters. */
export const quote = (text: string, maxLength: number): string =>
  `"${clip(oneLine(text).replaceAll('"', "'"), maxLength)}"`

/** Removes line breaks and runs of blanks from a text. */
export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Returns the beginning of a text, which never ends in half of a character. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.slice(0, maxLength - 1)
  return `${/[\ud800-\udbff]$/.test(end) ? end.slice(0, -1) : end}…`
}

/** Shows a value as text on one line: numbers in six digits, texts with at most `maxText` characters. */
export function showValue(item: DataValue | null, maxText: number): string {
  if (item === null) return 'null'
  const text = showPlain(item, maxText)
  return item.referenceId ? `${text} in Rhino ${item.referenceId}` : text
}

function showPlain(item: DataValue, maxText: number): string {
  switch (item.type) {
    case 'boolean':
      return String(item.value)
    case 'integer':
    case 'number':
      return showNumber(item.value)
    case 'string':
      return quote(item.value, maxText)
    case 'colour':
    case 'path':
      return item.value
    case 'domain':
      return `${showNumber(item.value.start)}..${showNumber(item.value.end)}`
    case 'point':
      return showXyz(item.value)
    case 'vector':
      return `vector ${showXyz(item.value)}`
    case 'plane':
      return `plane ${showXyz(item.value.origin)}`
    case 'line':
      return `line ${showXyz(item.value.from)} ${showXyz(item.value.to)}`
    case 'polyline':
      return `polyline of ${item.value.length}: ${item.value.slice(0, 3).map(showXyz).join(' ')}${item.value.length > 3 ? ' …' : ''}`
    case 'circle':
      return `circle r=${showNumber(item.value.radius)} at ${showXyz(item.value.plane.origin)}`
    case 'arc':
      return `arc r=${showNumber(item.value.radius)} at ${showXyz(item.value.plane.origin)} ${showNumber(item.value.startAngle)}..${showNumber(item.value.endAngle)} rad`
    case 'rectangle':
      return `rectangle ${showSize(item.value.x)}×${showSize(item.value.y)} at ${showXyz(item.value.plane.origin)}`
    case 'box':
      return `box ${showSize(item.value.x)}×${showSize(item.value.y)}×${showSize(item.value.z)} at ${showXyz(item.value.plane.origin)}`
    case 'curve':
    case 'surface':
    case 'brep':
    case 'mesh':
      return `${item.type} ${clip(item.value.description, maxText)}${showBounds(item.value.boundingBox)}`
    case 'unknown':
      return clip(item.value.description, maxText)
  }
}

const showSize = ({ start, end }: { start: number | string; end: number | string }): string =>
  typeof start === 'number' && typeof end === 'number' ? showNumber(end - start) : `${start}..${end}`

const showBounds = (box: readonly [readonly (number | string)[], readonly (number | string)[]] | null) =>
  box ? ` ${showXyz(box[0])}..${showXyz(box[1])}` : ''

/** Returns the number of values in a tree. */
export const countValues = ({ branches }: DataTree): number =>
  branches.reduce((count, { values }) => count + values.length, 0)

/**
 * Describes a tree in few words: by its only value if that is short, otherwise by the numbers of values of each type.
 */
export function summarizeTree(tree: DataTree, maxText: number): string {
  const count = countValues(tree)
  if (count === 0) return '[]'
  const items = tree.branches.flatMap(({ values }) => values)
  const [first] = items
  if (count === 1 && (first === null || !hasLongForm(first!))) return showValue(first!, maxText)
  const types = new Set(items.map((item) => item?.type ?? 'null'))
  const type = types.size === 1 ? [...types][0]! : 'value'
  const references = items.some((item) => item?.referenceId) ? ' in Rhino' : ''
  return count === 1 ? `[${type}${references}]` : `[${countOf(count, type)}${references}]`
}

/** Formats a count, such as `1 mesh` or `3 meshes`. */
export const countOf = (count: number, type: string): string =>
  `${count} ${type}${count === 1 ? '' : /(x|sh)$/.test(type) ? 'es' : 's'}`

const LONG_FORMS = new Set(['curve', 'surface', 'brep', 'mesh', 'polyline', 'unknown'])

/** Whether only the type of a value is shown where room is scarce. */
const hasLongForm = ({ type, referenceId }: DataValue): boolean =>
  LONG_FORMS.has(type) || referenceId !== undefined
