import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonCursor } from './json-cursor.ts'

const cursorOver = (text: string) => new JsonCursor(Buffer.from(text))

/** The value at the cursor, read with its methods. */
function readValue(cursor: JsonCursor): unknown {
  const first = String.fromCharCode(cursor.bytes[cursor.at]!)
  if (first === '"') return cursor.readString()
  if (first === '[') {
    const items: unknown[] = []
    for (const index of cursor.items()) items[index] = readValue(cursor)
    return items
  }
  if (first === '{') {
    const members: [string, unknown][] = []
    for (const key of cursor.keys()) members.push([key, readValue(cursor)])
    return Object.fromEntries(members)
  }
  const start = cursor.at
  cursor.skip()
  return JSON.parse(cursor.bytes.toString('utf8', start, cursor.at))
}

test('given any JSON, when it is read, then the same value, and the cursor is at the end', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value)
      const cursor = cursorOver(text)
      assert.deepEqual(readValue(cursor), JSON.parse(text))
      assert.equal(cursor.at, cursor.bytes.length)
    }),
  )
})

test('given any JSON, when it is skipped, then the cursor is behind it, whatever follows', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', ',1', ']', '}'), (value, rest) => {
      const text = JSON.stringify(value)
      const cursor = cursorOver(text + rest)
      cursor.skip()
      assert.equal(cursor.at, Buffer.byteLength(text))
    }),
  )
})

test('given truncated or invalid JSON, when it is read, then a SyntaxError, and it always terminates', () => {
  const broken = fc.oneof(
    fc.tuple(fc.jsonValue(), fc.nat()).map(([value, cut]) => {
      const text = JSON.stringify({ value })
      return text.slice(0, cut % text.length)
    }),
    fc.string(),
    fc.array(fc.constantFrom(...'{}[]",:\\1n'), { maxLength: 30 }).map((characters) => characters.join('')),
  )
  fc.assert(
    fc.property(broken, (text) => {
      const cursor = cursorOver(text)
      try {
        for (const _ of cursor.keys()) cursor.skip()
      } catch (error) {
        assert.ok(error instanceof SyntaxError)
      }
    }),
  )
  assert.throws(() => [...cursorOver('{"a":1').keys()], SyntaxError)
})
