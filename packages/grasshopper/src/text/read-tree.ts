import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { ITEM_CODECS } from '../archive/items/item-codecs.ts'
import type { Chunk, Item, ItemType, Rectangle, Xy } from '../archive/tree/archive.ts'
import { countElements, findCounted } from '../archive/tree/counts.ts'
import { Fault, GrasshopperError, printable } from '../archive/tree/grasshopper-error.ts'
import { type Limits, MAX_DEPTH } from '../archive/tree/limits.ts'
import { checkRootName } from '../archive/tree/root-names.ts'
import { encodeScript, type LineEnds, parseBytes, parseLines } from './blocks.ts'
import { atLine, failAt, type Line, type LineReader } from './lines.ts'
import { findTypeNamed, isByteType, parseLiteral, Scanner } from './literal.ts'
import { findPivot, fromRelative } from './objects.ts'
import { PACKINGS, type Packing, packOrKeep } from './packing.ts'
import { MAX_TEXT_DEPTH } from './write-tree.ts'

/** A tree that was read from a text, and what the text says in vain. */
export interface ReadTree {
  root: Chunk
  notes: string[]
}

/** A value that is known when its chunk or object is complete. */
type Deferred = () => void

interface Scope {
  readonly depth: number
  /** Chunks from the root of this archive on. */
  readonly nesting: number
  /** Values that are written relative to the object that the line is in; undefined outside of objects. */
  readonly relative?: { line: Line; item: Item }[] | undefined
}

const SHORTEST_INDEX = -(2 ** 31)
const LARGEST_INDEX = 2 ** 31 - 1

/** Where a value stands. */
interface Place {
  line: Line
  chunk: Chunk
  scanner: Scanner
  scope: Scope
  deferred: Deferred[]
  /** Between braces, where a value has no lines of its own. */
  isInline: boolean
}

/** Reads the tree that stands next in the text. Fails: `GrasshopperError` with the line, what is wrong and what to do. */
export function readTree(reader: LineReader, { maxElements }: Limits): ReadTree {
  const notes: string[] = []
  let elementsLeft = maxElements
  return { root: readRoot(0), notes }

  function readRoot(depth: number): Chunk {
    const line = reader.advance()
    if (!line || line.depth !== depth)
      throw new GrasshopperError(
        'truncated',
        'An archive is missing here: restore its lines',
        line ? `line ${line.number}` : 'the end of the text',
      )
    return atLine(line, () => {
      const scanner = new Scanner(line.text, 0)
      const root: Chunk = { ...resolve(readLabel(scanner), new Map()), items: [], chunks: [] }
      checkRootName(root.name)
      scanner.skipSpace()
      const scope = { depth: depth + 1, nesting: 1 }
      const deferred: Deferred[] = []
      if (scanner.take('{')) readInline({ line, chunk: root, scanner, scope, deferred, isInline: true })
      scanner.checkEnd()
      readContent(root, scope)
      for (const complete of deferred) complete()
      return root
    })
  }

  /** The facts of a chunk: all following lines at its depth. */
  function readContent(chunk: Chunk, scope: Scope): void {
    if (scope.depth > MAX_TEXT_DEPTH || scope.nesting > MAX_DEPTH)
      throw new Fault('too_large', `Chunks are nested more than ${MAX_DEPTH} deep`)
    const next: Next = { items: new Map(), chunks: new Map() }
    const deferred: Deferred[] = []
    const objects = chunk.name === 'DefinitionObjects' ? createObjects(chunk) : undefined
    for (let line = reader.next; line && line.depth >= scope.depth; line = reader.next) {
      const current = line
      if (current.depth > scope.depth)
        throw failAt(current.number, 'This line is indented too far: it belongs to no fact above it')
      reader.advance()
      atLine(current, () => {
        if (objects && readObjectFact(current, objects, scope)) return
        readFact(current, chunk, scope, next, deferred)
      })
    }
    objects?.finish()
    for (const complete of deferred) complete()
  }

  interface Next {
    items: Map<string, number>
    chunks: Map<string, number>
  }

  function readFact(line: Line, chunk: Chunk, scope: Scope, next: Next, deferred: Deferred[]): void {
    const scanner = new Scanner(line.text, 0)
    const label = readLabel(scanner)
    scanner.skipSpace()
    if (scanner.take('=')) {
      readItem(label, next.items, { line, chunk, scanner, scope, deferred, isInline: false })
      scanner.checkEnd()
      return
    }
    takeElement()
    const child: Chunk = { ...resolve(label, next.chunks), items: [], chunks: [] }
    chunk.chunks.push(child)
    const inner = { ...scope, depth: scope.depth + 1, nesting: scope.nesting + 1 }
    const counts: Deferred[] = []
    if (scanner.take('{'))
      readInline({ line, chunk: child, scanner, scope: inner, deferred: counts, isInline: true })
    scanner.checkEnd()
    readContent(child, inner)
    for (const complete of counts) complete()
  }

  /** `{ Bounds = rectanglef 0 0 50 24; Pivot = pointf 25 12 }` */
  function readInline(place: Place): void {
    const { scanner } = place
    const next = new Map<string, number>()
    do {
      scanner.skipSpace()
      const label = readLabel(scanner)
      scanner.skipSpace()
      if (!scanner.take('='))
        throw new Fault('malformed', 'Between braces each name has a value: { name = value; name = value }')
      readItem(label, next, place)
      scanner.skipSpace()
    } while (scanner.take(';'))
    if (!scanner.take('}')) throw new Fault('malformed', 'A closing brace is missing: end the line with }')
  }

  /** The value of an item. */
  function readItem(label: Label, next: Map<string, number>, place: Place): void {
    const { scanner, chunk } = place
    takeElement()
    const item = { ...resolve(label, next), type: 'bool', value: false } as Item
    chunk.items.push(item)
    scanner.skipSpace()
    const text = scanner.takeQuoted()
    if (text === undefined) readWord(item, place)
    else setValue(item, 'string', text)
  }

  /** A value that its first word determines. */
  function readWord(item: Item, place: Place): void {
    const { line, chunk, scanner, scope, deferred, isInline } = place
    const word = scanner.takeWord()
    scanner.skipSpace()
    const type = findTypeNamed(word)
    if (word === 'counted') deferred.push(() => atLine(line, () => count(item, chunk)))
    else if ((type === 'drawing_pointf' || type === 'drawing_rectanglef') && scanner.take('~'))
      readRelative(line, item, type, scanner, scope)
    else if (isInline) Object.assign(item, parseLiteral(word, scanner))
    else if (word === 'text' || word === 'script') readTextBlock(item, word, scanner, scope)
    else if (word === 'archive') readNested(item, scanner, scope)
    else if (type !== undefined && isByteType(type)) readBytes(item, type, scanner, scope)
    else Object.assign(item, parseLiteral(word, scanner))
  }

  function readTextBlock(item: Item, word: 'text' | 'script', scanner: Scanner, { depth }: Scope): void {
    const ends = scanner.takeWord()
    if (ends !== '' && ends !== 'crlf')
      throw new Fault('malformed', `"${printable(ends)}" is no line end: write ${word}, or ${word} crlf`)
    scanner.checkEnd()
    const lines = reader.takeBlock(depth + 1, '|')
    if (lines.length === 0)
      throw new Fault(
        'malformed',
        'The lines of this text are missing: write each after "| ", two spaces further in',
      )
    const text = parseLines(lines, ends === '' ? 'lf' : (ends as LineEnds))
    setValue(item, 'string', word === 'script' ? encodeScript(text) : text)
  }

  function readBytes(item: Item, type: ItemType, scanner: Scanner, { depth }: Scope): void {
    const bytes = readKept(scanner, depth)
    if (type === 'doublearray' && bytes.length % 8 !== 0)
      throw new Fault('malformed', `${bytes.length} bytes are no list of numbers, which have 8 bytes each`)
    setValue(item, type, type === 'doublearray' ? new Float64Array(bytes.buffer) : bytes)
  }

  /** The number of bytes on this line, and the lines of them below it. */
  function readKept(scanner: Scanner, depth: number): Uint8Array<ArrayBuffer> {
    scanner.skipSpace()
    const length = scanner.takeWord()
    if (!/^\d{1,10}$/.test(length))
      throw new Fault('malformed', 'The number of bytes is missing: write it after the type')
    scanner.checkEnd()
    return parseBytes(reader.takeBlock(depth + 1, ':'), Number(length))
  }

  /** An archive inside the bytes of an item. */
  function readNested(item: Item, scanner: Scanner, { depth }: Scope): void {
    const packing = scanner.takeWord() as Packing
    if (!PACKINGS.includes(packing))
      throw new Fault(
        'malformed',
        `"${printable(packing)}" is no packing: write one of ${PACKINGS.join(', ')}`,
      )
    scanner.checkEnd()
    const inflated = writeInflatedArchive({ root: readRoot(depth + 1) })
    const line = reader.next
    const hasKept = line?.depth === depth + 1 && /^kept(?: |$)/.test(line.text)
    const kept = hasKept
      ? atLine(reader.advance()!, () => readKept(new Scanner(line.text, 'kept'.length), depth + 1))
      : undefined
    setValue(item, 'bytearray', packOrKeep(inflated, packing, kept, 'A cluster', notes))
  }

  function readRelative(
    line: Line,
    item: Item,
    type: 'drawing_pointf' | 'drawing_rectanglef',
    scanner: Scanner,
    { relative }: Scope,
  ): void {
    if (!relative)
      throw new Fault(
        'malformed',
        '~ stands for the place of an object, and this line is in none: write the numbers without it',
      )
    const words = ITEM_CODECS[type].tags.map(() => {
      scanner.skipSpace()
      return scanner.takeWord()
    })
    // Differences of two singles are doubles; sizes stay singles.
    const numbers = words.map((word) => ITEM_CODECS.double.parse({ text: word, fields: [] }))
    const [x, y, width, height] = numbers as [number, number, number, number]
    const size = { width: Math.fround(width), height: Math.fround(height) }
    setValue(item, type, type === 'drawing_pointf' ? { x, y } : { x, y, ...size })
    relative.push({ line, item })
  }

  function readObjectFact(line: Line, objects: Objects, scope: Scope): boolean {
    const { depth } = scope
    if (/^order(?: *#| *$)/.test(line.text)) {
      while (reader.next?.depth === depth + 1) {
        const entry = reader.advance()!
        atLine(entry, () => objects.addPlace(entry))
      }
      return true
    }
    const key = /^object +(@\d{1,10}|[0-9a-fA-F-]{36})(?: *#| *$)/.exec(line.text)?.[1]
    if (key === undefined) {
      if (/^object[ #]/.test(line.text))
        throw new Fault('malformed', 'After object its id is expected, and nothing else but a comment')
      return false
    }
    takeElement()
    const object: Chunk = { name: 'Object', index: -1, items: [], chunks: [] }
    objects.add(key.toLowerCase(), object)
    const relative: { line: Line; item: Item }[] = []
    readContent(object, { depth: depth + 1, nesting: scope.nesting + 1, relative })
    const pivot = findPivot(object)
    for (const one of relative) atLine(one.line, () => placeRelative(one.item, pivot))
    return true
  }

  function takeElement(): void {
    elementsLeft -= 1
    if (elementsLeft < 0) throw new Fault('too_large', `There are more than ${maxElements} items and chunks`)
  }

  interface Objects {
    addPlace(line: Line): void
    add(key: string, object: Chunk): void
    /** Puts the objects into the list, in the order that the text has. */
    finish(): void
  }

  function createObjects(list: Chunk): Objects {
    const places = new Map<string, number | undefined>()
    const objects = new Map<string, Chunk>()
    return {
      addPlace({ text }) {
        const [, key = '', index] =
          /^(@\d{1,10}|[0-9a-fA-F-]{36})(?: \[(-?\d{1,10})\])?(?: *#| *$)/.exec(text) ?? []
        if (key === '')
          throw new Fault(
            'malformed',
            `"${printable(text)}" is no id of an object: each line of the order has one`,
          )
        if (places.has(key.toLowerCase()))
          throw new Fault('malformed', `The object ${key} is twice in the order: remove one of the lines`)
        places.set(key.toLowerCase(), index === undefined ? undefined : checkIndex(index))
      },
      add(key, object) {
        if (objects.has(key))
          throw new Fault(
            'malformed',
            `There is an object ${key} already: give one of them another id, here and in its InstanceGuid`,
          )
        objects.set(key, object)
      },
      finish() {
        const absent = [...places.keys()].filter((key) => !objects.has(key))
        if (absent.length > 0)
          notes.push(`The order has ${absent.length} objects that are not in the text, such as ${absent[0]}`)
        const ordered = [...places.keys()].filter((key) => objects.has(key))
        const others = [...objects.keys()].filter((key) => !places.has(key))
        for (const key of [...ordered, ...others]) {
          const object = objects.get(key)!
          object.index = places.get(key) ?? list.chunks.length
          list.chunks.push(object)
        }
      },
    }
  }
}

function setValue(item: Item, type: ItemType, value: Item['value']): void {
  Object.assign(item, { type, value })
}

function count(item: Item, chunk: Chunk): void {
  setValue(item, 'int32', 0)
  const counted = findCounted(chunk, item)
  if (counted === undefined)
    throw new Fault(
      'malformed',
      `Nothing in ${printable(chunk.name)} is counted by ${printable(item.name)}: write the number`,
    )
  setValue(item, 'int32', countElements(chunk, counted))
}

function placeRelative(item: Item, pivot: Xy | undefined): void {
  if (!pivot)
    throw new Fault(
      'malformed',
      '~ stands for the Pivot of the object, which has none: write the numbers without it',
    )
  item.value = fromRelative(item.value as Xy | Rectangle, pivot)
}

/** A name with an index in brackets: `''` is the one after the last of this name; undefined is none. */
interface Label {
  name: string
  index: string | undefined
}

function readLabel(scanner: Scanner): Label {
  const quoted = scanner.takeQuoted()
  const name = quoted ?? scanner.takeWord()
  if (quoted === undefined && name === '')
    throw new Fault(
      'malformed',
      'A name is expected at the start of a fact: put it in quotes if it is unusual',
    )
  if (!scanner.take('[')) return { name, index: undefined }
  const index = scanner.takeWord()
  if (!scanner.take(']')) throw new Fault('malformed', 'A closing bracket is missing after the index')
  return { name, index }
}

/** `next` has the index that follows the last one, by name. */
function resolve({ name, index }: Label, next: Map<string, number>): { name: string; index: number } {
  if (index === undefined) return { name, index: -1 }
  const number = checkIndex(index === '' ? (next.get(name) ?? 0) : index)
  next.set(name, number + 1)
  return { name, index: number }
}

function checkIndex(index: string | number): number {
  const number = typeof index === 'number' || /^-?\d{1,10}$/.test(index) ? Number(index) : Number.NaN
  if (number >= SHORTEST_INDEX && number <= LARGEST_INDEX) return number
  throw new Fault(
    'malformed',
    `"${printable(String(index))}" is no index: write a whole number, or [] for the next one`,
  )
}
