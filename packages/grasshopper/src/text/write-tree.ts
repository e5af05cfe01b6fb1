import { createHash } from 'node:crypto'
import type { Chunk, Item, Xy } from '../archive/tree/archive.ts'
import { countElements, findCounted } from '../archive/tree/counts.ts'
import { GrasshopperError, printable } from '../archive/tree/grasshopper-error.ts'
import { MAX_DEPTH } from '../archive/tree/limits.ts'
import { decodeScript, findLineEnds, formatBytes, formatLines } from './blocks.ts'
import { formatLiteral, formatReal, isByteType, nameOfType, quote } from './literal.ts'
import type { NestedArchives } from './nested.ts'
import {
  describeIds,
  describeObject,
  findPivot,
  findPortName,
  isObjectList,
  keyObjects,
  toRelative,
} from './objects.ts'

/** The largest text, in UTF-16 units. Nested archives and deep indentation could make more of a small file. */
const MAX_TEXT_LENGTH = 256 * 1024 * 1024

/** The nesting of chunks in a text, nested archives included. */
export const MAX_TEXT_DEPTH = 2 * MAX_DEPTH

const PLAIN_NAME = /^[A-Za-z_][\w.-]*$/
/** Words that start other facts than those of a chunk or an item. */
const RESERVED = new Set(['object', 'order'])
/** Few short items are written on the line of their chunk, in braces: a value, a place, a branch and its path. */
const MOST_INLINE = 4
const LONGEST_INLINE = 100

/** What is known where a line is written. */
interface Scope {
  readonly depth: number
  /** What the ids of this document stand for. */
  readonly ids: ReadonlyMap<string, string>
  /** The place of the object that the line belongs to. */
  readonly pivot?: Xy | undefined
}

/** Lines of text with indentation, up to the limit. */
export class LineSink {
  readonly #lines: string[] = []
  #length = 0

  push(depth: number, line: string): void {
    this.#length += 2 * depth + line.length + 1
    if (this.#length > MAX_TEXT_LENGTH)
      throw new GrasshopperError('too_large', `The text has more than ${MAX_TEXT_LENGTH} characters`, '')
    this.#lines.push(depth === 0 ? line : '  '.repeat(depth) + line)
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`
  }
}

/** Writes the facts of a chunk and everything in it. Without `nested`, bytes are only described, as for reading. */
export function writeTree(root: Chunk, sink: LineSink, nested: NestedArchives | undefined): void {
  writeChunk(root, nameOf(root.name, root.index), { depth: 0, ids: new Map() })

  function writeChunk(chunk: Chunk, label: string, scope: Scope): void {
    const inline = formatInline(chunk, scope)
    const port = findPortName(chunk)
    const start = inline === undefined ? label : `${label} ${inline}`
    sink.push(scope.depth, port === undefined ? start : `${start}  # ${port}`)
    writeContent(chunk, { ...scope, depth: scope.depth + 1 }, inline === undefined ? chunk.items : [])
  }

  function writeContent(chunk: Chunk, scope: Scope, items: readonly Item[]): void {
    const labelItem = createLabels()
    for (const item of items) writeItem(item, labelItem(item), chunk, scope)
    if (isObjectList(chunk)) {
      writeObjects(chunk.chunks, scope)
      return
    }
    const labelChunk = createLabels()
    for (const child of chunk.chunks) writeChunk(child, labelChunk(child), scope)
  }

  /** Writes the order of the file, then each object, by its id. */
  function writeObjects(objects: readonly Chunk[], outer: Scope): void {
    const { depth } = outer
    const keys = keyObjects(objects)
    const ids = describeIds(objects)
    if (objects.length > 0) sink.push(depth, 'order')
    for (const [at, { index }] of objects.entries())
      sink.push(depth + 1, index === at ? keys[at]! : `${keys[at]} [${index}]`)
    const sorted = objects.map((object, at) => ({ object, key: keys[at]! })).sort(byKey)
    for (const { object, key } of sorted) {
      sink.push(depth, `object ${key}  # ${describeObject(object)}`)
      writeContent(object, { depth: depth + 1, ids, pivot: findPivot(object) }, object.items)
    }
  }

  function writeItem(item: Item, label: string, chunk: Chunk, scope: Scope): void {
    const { depth } = scope
    if (item.type === 'string' && isBlock(item, chunk)) writeTextBlock(item.value, label, chunk, depth)
    else if (isByteType(item.type)) writeBytes(item, label, depth)
    else sink.push(depth, `${label} = ${formatValue(item, chunk, scope)}`)
  }

  /** Writes a script or a text of several lines. */
  function writeTextBlock(value: string, label: string, chunk: Chunk, depth: number): void {
    const script = chunk.name === 'Script' ? decodeScript(value) : undefined
    const text = script ?? value
    const ends = findLineEnds(text)
    const kind = script === undefined ? 'text' : 'script'
    sink.push(depth, `${label} = ${kind}${ends === 'crlf' ? ' crlf' : ''}`)
    for (const line of formatLines(text, ends)) sink.push(depth + 1, line)
  }

  function writeBytes(item: Item, label: string, depth: number): void {
    const bytes = toBytes(item)
    const start = `${label} = ${nameOfType(item.type)} ${bytes.length}`
    if (!nested) {
      const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
      sink.push(depth, bytes.length === 0 ? start : `${start}  # sha256 ${digest}…`)
      return
    }
    const inner = nested.find(item, depth)
    if (!inner) {
      sink.push(depth, start)
      for (const line of formatBytes(bytes)) sink.push(depth + 1, line)
      return
    }
    sink.push(depth, `${label} = archive`)
    writeChunk(inner.archive.root, nameOf(inner.archive.root.name, inner.archive.root.index), {
      depth: depth + 1,
      ids: new Map(),
    })
  }
}

const byKey = (a: { key: string }, b: { key: string }): number => {
  const [first, second] = [a.key, b.key].map((key) => (key.startsWith('@') ? Number(key.slice(1)) : -1))
  if (first === -1 && second === -1) return a.key < b.key ? -1 : 1
  return first! - second!
}

function toBytes({ value }: Item): Uint8Array {
  const { buffer, byteOffset, byteLength } = value as Uint8Array | Float64Array
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function formatValue(item: Item, chunk: Chunk, scope: Scope): string {
  const { pivot } = scope
  const counted = findCounted(chunk, item)
  if (counted !== undefined && item.value === countElements(chunk, counted)) return 'counted'
  const relative = pivot && formatRelative(item, chunk, pivot)
  if (relative !== undefined) return relative
  const literal = formatLiteral(item)
  const meaning = findMeaning(item, scope)
  if (meaning === undefined) return literal
  return `${literal}  # ${item.name === 'Source' ? '<- ' : ''}${meaning}`
}

/** Returns what an id stands for, unless it is that of the chunk itself. */
const findMeaning = (item: Item, { ids }: Scope): string | undefined =>
  item.type === 'guid' && item.name !== 'InstanceGuid' ? ids.get(item.value) : undefined

/** The layout of an object and of its ports moves with the object: only the place of the object itself is written as it is. */
function formatRelative(item: Item, chunk: Chunk, pivot: Xy): string | undefined {
  if (chunk.name !== 'Attributes' || item.value === pivot) return undefined
  if (item.type !== 'drawing_pointf' && item.type !== 'drawing_rectanglef') return undefined
  const moved = toRelative(item.value, pivot)
  if (!moved) return undefined
  const size =
    'width' in moved
      ? formatLiteral({ ...item, value: moved } as Item)
          .split(' ')
          .slice(3)
      : []
  return [nameOfType(item.type), '~', formatReal(moved.x), formatReal(moved.y), ...size].join(' ')
}

/** Whether a value takes lines of its own. */
const isBlock = ({ type, name, value }: Item, chunk: Chunk): boolean =>
  isByteType(type) ||
  (type === 'string' &&
    ((value as string).includes('\n') ||
      (chunk.name === 'Script' && name === 'Text' && decodeScript(value as string) !== undefined)))

/** `{ Bounds = rectanglef 0 0 50 24; Pivot = pointf 25 12 }`; undefined if the items take lines of their own. */
function formatInline(chunk: Chunk, scope: Scope): string | undefined {
  const { items } = chunk
  if (items.length === 0 || items.length > MOST_INLINE) return undefined
  if (items.some((item) => isBlock(item, chunk) || findMeaning(item, scope) !== undefined)) return undefined
  const labelItem = createLabels()
  const facts = items.map((item) => `${labelItem(item)} = ${formatValue(item, chunk, scope)}`)
  const text = `{ ${facts.join('; ')} }`
  return text.length > LONGEST_INLINE ? undefined : text
}

/** Names with indices: `[]` stands for the index that follows the one before it, so that a list can grow and shrink. */
function createLabels(): (element: Chunk | Item) => string {
  const next = new Map<string, number>()
  return ({ name, index }) => {
    if (index === -1) return nameOf(name, index)
    const isNext = index === (next.get(name) ?? 0)
    next.set(name, index + 1)
    return isNext ? `${nameOf(name, -1)}[]` : nameOf(name, index)
  }
}

function nameOf(name: string, index: number): string {
  const shown = PLAIN_NAME.test(name) && !RESERVED.has(name) ? name : quote(name)
  return index === -1 ? shown : `${shown}[${printable(String(index))}]`
}
