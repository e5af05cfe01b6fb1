import { JsonWindow } from './json-cursor.ts'

/** A piece of the JSON that is written. Bytes are those of the window, and valid until it is fed. */
export type Piece = Uint8Array | string

/** The window needs another chunk. */
export const MORE = Symbol('more')
export type More = typeof MORE

/** Writes JSON while the JSON that it is made from is read, a window at a time. */
export type Writer = (window: JsonWindow) => Generator<Piece | More, void>

/** The keys of an object, each with the cursor at its value. */
export function* walkObject(window: JsonWindow): Generator<string | More, void> {
  while (!window.enterObject()) yield MORE
  for (;;) {
    const key = window.nextKey()
    if (key === null) return
    yield key ?? MORE
  }
}

/** The indices of an array, each with the cursor at the item. */
export function* walkArray(window: JsonWindow): Generator<number | More, void> {
  while (!window.enterArray()) yield MORE
  for (let index = 0; ; ) {
    const hasItem = window.nextItem()
    if (hasItem === false) return
    yield hasItem ? index++ : MORE
  }
}

/** Steps over a value that is not needed, however long it is. */
export function* skipValue(window: JsonWindow): Generator<More, void> {
  while (!window.passValue()) yield MORE
}

/** The bytes of a value, however long it is. For `depth` see `passValue`. */
export function* copyValue(window: JsonWindow, depth = 0): Generator<Piece | More, void> {
  for (;;) {
    const from = window.at
    const isWhole = window.passValue(depth)
    yield window.bytes.subarray(from, window.at)
    if (isWhole) return
    yield MORE
  }
}

/** Feeds a writer with the chunks of JSON. Throws when they end too early. */
export async function* rewriteJson(
  body: AsyncIterable<Uint8Array>,
  write: Writer,
): AsyncGenerator<Uint8Array> {
  const window = new JsonWindow()
  const pieces = write(window)
  for await (const chunk of body) if (window.feed(chunk)) yield* toChunks(pieces)
  window.finish()
  yield* toChunks(pieces)
  if (!pieces.next().done) throw new SyntaxError('The JSON ends too early.')
}

function copyBytes(bytes: Uint8Array, to: Buffer, at: number): number {
  to.set(bytes, at)
  return bytes.length
}

const CHUNK_BYTES = 64 * 1024
/** The most bytes of a UTF-16 code unit in UTF-8. */
const MAX_BYTES_OF_UNIT = 3

/** The pieces until the window needs another chunk, in chunks of up to 64 KB: each has a cost where it is compressed. */
function* toChunks(pieces: Generator<Piece | More, void>): Generator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let length = 0
  for (;;) {
    const { value: piece, done } = pieces.next()
    if (done || piece === MORE) break
    const isText = typeof piece === 'string'
    if (length + (isText ? MAX_BYTES_OF_UNIT : 1) * piece.length <= CHUNK_BYTES) {
      length += isText ? chunk.write(piece, length) : copyBytes(piece, chunk, length)
      continue
    }
    if (length > 0) {
      yield chunk.subarray(0, length)
      chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      length = 0
    }
    const bytes = isText ? Buffer.from(piece) : piece
    if (bytes.length <= CHUNK_BYTES) {
      chunk.set(bytes)
      length = bytes.length
    } else for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  }
  if (length > 0) yield chunk.subarray(0, length)
}
