import { describeMissing, nameOf } from '../../../http/api/requested-parts.ts'
import { JsonCursor, type JsonWindow } from '../../../platform/json/json-cursor.ts'
import {
  copyValue,
  MORE,
  type More,
  type Piece,
  rewriteJson,
  skipValue,
  walkArray,
  walkObject,
} from '../../../platform/json/rewrite-json.ts'

/** The parts of a solution that are written; undefined means all. */
export interface SolutionParts {
  /** What was asked for, with the nodes of the document that each name stands for. */
  nodes: { items: readonly string[]; named: ReadonlyMap<string, ReadonlySet<string>> } | undefined
  fields: readonly string[] | undefined
  /** Whether the response is a line for each port, and at the end the other members on a line. */
  isInLines: boolean
}

/** What every part of a solution has: `data`, for the id in it, and in a BIM object document what says what it is. */
const IDENTITY = ['data', 'format', 'version', 'documentId', 'solutionId']

/** The body of a solution, or a BIM object document, with the parts alone. All bytes that are left stay as they are. */
export const writeParts = (
  body: AsyncIterable<Uint8Array>,
  parts: SolutionParts,
): AsyncGenerator<Uint8Array> => rewriteJson(body, (window) => new PartsWriter(window, parts).write())

class PartsWriter {
  readonly #window: JsonWindow
  readonly #parts: SolutionParts
  readonly #ids: ReadonlySet<string> | undefined
  readonly #fields: ReadonlySet<string> | undefined
  /** The nodes among those asked for that the solution has values, messages or objects of. */
  readonly #found = new Set<string>()
  /** The members that the body has, and what precedes the next one that is written. */
  readonly #members = new Set<string>()
  #separator = '{'

  constructor(window: JsonWindow, parts: SolutionParts) {
    const { nodes, fields } = parts
    this.#window = window
    this.#parts = parts
    const named = nodes && [...nodes.named.values()].flatMap((ids) => [...ids])
    this.#ids = nodes && new Set([...nodes.items.filter((item) => nameOf(item) === undefined), ...named!])
    this.#fields = fields && new Set([...IDENTITY, ...fields])
  }

  *write(): Generator<Piece | More, void> {
    for (const key of walkObject(this.#window)) {
      if (key === MORE) {
        yield MORE
        continue
      }
      this.#members.add(key)
      if (key === 'data') yield* this.#writeData()
      else if (this.#ids && (key === 'messages' || key === 'objects')) yield* this.#writeKept(key)
      else if (!this.#wants(key)) yield* skipValue(this.#window)
      else {
        yield this.#begin(key)
        yield* copyValue(this.#window)
      }
    }
    const missing = this.#findMissing()
    if (missing) yield this.#begin('notFound') + JSON.stringify(missing)
    yield this.#parts.isInLines ? '}\n' : '}'
  }

  #wants(member: string): boolean {
    return !this.#fields || this.#fields.has(member)
  }

  /** The key of a member, with what precedes it. */
  #begin(key: string): string {
    const separator = this.#separator
    this.#separator = ','
    return `${separator}${JSON.stringify(key)}:`
  }

  #keeps(node: string): boolean {
    if (!this.#ids) return true
    if (!this.#ids.has(node)) return false
    this.#found.add(node)
    return true
  }

  /** The values of the nodes. Without the field `data`, it has the id of the solution alone. */
  *#writeData(): Generator<Piece | More, void> {
    const window = this.#window
    const hasValues = !this.#parts.fields || this.#parts.fields.includes('data')
    const { isInLines } = this.#parts
    if (!isInLines) yield `${this.#begin('data')}{`
    let separator = ''
    const identity: string[] = []
    for (const node of walkObject(window)) {
      if (node === MORE) yield MORE
      else if (node === 'solutionId') {
        let id = window.readText()
        for (; id === undefined; id = window.readText()) yield MORE
        identity.push(`"solutionId":${JSON.stringify(id)}`)
        if (!isInLines) yield identity[0]!
        separator = ','
      } else if (!this.#keeps(node) || !hasValues) yield* skipValue(window)
      else if (isInLines) yield* this.#writeLines(node)
      else {
        yield `${separator}${JSON.stringify(node)}:`
        yield* copyValue(window)
        separator = ','
      }
    }
    yield isInLines ? `${this.#begin('data')}{${identity.join()}}` : '}'
  }

  *#writeLines(nodeInstanceId: string): Generator<Piece | More, void> {
    for (const portInstanceId of walkObject(this.#window)) {
      if (portInstanceId === MORE) yield MORE
      else {
        while (!this.#window.enterObject()) yield MORE
        yield `${JSON.stringify({ nodeInstanceId, portInstanceId }).slice(0, -1)},`
        yield* copyValue(this.#window, 1)
        yield '\n'
      }
    }
  }

  /** The messages or objects of the nodes. */
  *#writeKept(key: 'messages' | 'objects'): Generator<Piece | More, void> {
    const window = this.#window
    const isWanted = this.#wants(key)
    const [open, close] = key === 'messages' ? '[]' : '{}'
    if (isWanted) yield this.#begin(key) + open
    let separator = ''
    for (const place of key === 'messages' ? walkArray(window) : walkObject(window)) {
      if (place === MORE) {
        yield MORE
        continue
      }
      while (!window.skipValue()) yield MORE
      const item = window.bytes.subarray(window.startOfValue, window.at)
      if (!this.#keeps(nodeOf(item)) || !isWanted) continue
      yield typeof place === 'string' ? `${separator}${JSON.stringify(place)}:` : separator
      yield item
      separator = ','
    }
    if (isWanted) yield close!
  }

  #findMissing() {
    const { nodes, fields } = this.#parts
    const isFound = (item: string) => {
      const name = nameOf(item)
      return name === undefined
        ? this.#found.has(item)
        : [...(nodes!.named.get(name) ?? [])].some((id) => this.#found.has(id))
    }
    return describeMissing({
      nodes: nodes?.items.filter((item) => !isFound(item)) ?? [],
      fields: fields?.filter((field) => !this.#members.has(field)) ?? [],
    })
  }
}

/** The node that a message, or an object of a BIM object document, is of. */
function nodeOf(item: Buffer): string {
  const cursor = new JsonCursor(item)
  for (const key of cursor.keys()) {
    if (key === 'nodeInstanceId') return cursor.readString()
    cursor.skip()
  }
  return ''
}
