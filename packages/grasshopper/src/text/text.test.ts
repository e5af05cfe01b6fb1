import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { readArchive } from '../archive/read-archive.ts'
import { ARBITRARY_ARCHIVE, ARBITRARY_ITEMS } from '../archive/testing/arbitrary-archive.ts'
import type { Archive, Chunk, Item } from '../archive/tree/archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPort,
} from '../testing/build-archive.ts'
import { buildCluster, buildContent } from '../testing/build-cluster.ts'
import { toReadingText, toText } from './index.ts'
import { LineSink } from './write-tree.ts'

const toGh = (archive: Archive) => writeArchive(archive, { form: 'gh' })

/** Lines of the text of a definition with these objects. */
const linesOf = (objects: readonly Chunk[], more: (Item | Chunk)[] = []) =>
  toText(buildDefinition(objects, more)).split('\n')

const place = (x: number, y: number) =>
  buildChunk('Attributes', [
    buildItem('drawing_rectanglef', 'Bounds', { x: x - 20, y: y - 10, width: 40, height: 20 }),
    buildItem('drawing_pointf', 'Pivot', { x, y }),
  ])
const part = (id: number, { nickName = 'Width', x = 10, senders = [] as number[] } = {}) =>
  buildObject({
    ...{ guid: buildId(7), id, name: 'Part', nickName },
    container: [place(x, 5), buildPort('param_input', 0, id + 1, { senders, parts: [place(x - 5, 5)] })],
  })

/** Everything that the text says, with objects in any order. */
const factsOf = (archive: Archive) => toText(toGh(archive))

test('[GHT-15] given any two archives, when they differ, then so do their texts', () => {
  fc.assert(
    fc.property(ARBITRARY_ARCHIVE, ARBITRARY_ARCHIVE, (one, other) => {
      const isSame = Buffer.from(writeInflatedArchive(one)).equals(writeInflatedArchive(other))
      assert.equal(factsOf(one) === factsOf(other), isSame)
    }),
  )
})

for (const { type, item } of ARBITRARY_ITEMS) {
  test(`[GHT-10] [GHT-11] [GHT-15] given any two of ${type}, when they differ, then so do their texts, and no character is hidden`, () => {
    const items = fc.array(item, { maxLength: 3 })
    const name = fc.constantFrom('Item', 'Script', 'Attributes')
    fc.assert(
      fc.property(items, items, name, (first, second, name) => {
        const [one, other] = [first, second].map((items) => ({
          root: buildChunk('Root', [buildChunk(name, items), ...items]),
        })) as [Archive, Archive]
        const text = factsOf(one)
        const isSame = Buffer.from(writeInflatedArchive(one)).equals(writeInflatedArchive(other))
        assert.equal(text === factsOf(other), isSame)
        assert.doesNotMatch(text, /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/u)
      }),
    )
  })
}

const LINE_ENDS = fc.array(
  fc.constantFrom('\r\n', '\n', '\r', 'a', '  b', '| c', '\t', '', '\u202e', '"', '# no'),
)

test('[GHT-10] [GHT-15] given texts with any line ends, when they differ, then so do the texts of their files', () => {
  const textOf = (parts: string[]) => {
    const value = parts.join('')
    const script = Buffer.from(value).toString('base64')
    return factsOf({
      root: buildChunk('Root', [
        buildItem('string', 'CodeInput', value),
        buildChunk('Script', [buildItem('string', 'Text', script)]),
      ]),
    })
  }
  fc.assert(
    fc.property(LINE_ENDS, LINE_ENDS, (one, other) => {
      assert.equal(textOf(one) === textOf(other), one.join('') === other.join(''))
    }),
    { numRuns: 1000 },
  )
})

test('[GHT-10] given a script of Rhino 8, when turned into text, then its source is there, line by line', () => {
  const source = Buffer.from('import math\r\n\r\na = math.pi\r\n').toString('base64')
  const lines = linesOf([], [buildChunk('Script', [buildItem('string', 'Text', source)])])
  const at = lines.findIndex((line) => line.includes('Text = '))
  assert.deepEqual(
    lines.slice(at, at + 5).map((line) => line.trim()),
    ['Text = script crlf', '| import math', '|', '| a = math.pi', '|'],
  )
})

test('[GHT-6] [GHT-13] given objects in any order, when turned into text, then they are ordered by id, and wires say where they are from', () => {
  const lines = linesOf([part(30, { senders: [10] }), part(10, { nickName: 'A\n\u202eB' })]).map((line) =>
    line.trim(),
  )
  assert.deepEqual(
    lines.filter((line) => /^object|^Source\[/.test(line)),
    [
      `object ${buildId(10)}  # Part "A\\n\\u202eB"`,
      `object ${buildId(30)}  # Part "Width"`,
      `Source[] = ${buildId(10)}  # <- Part "A\\n\\u202eB"`,
    ],
  )
})

const changed = (before: readonly string[], after: readonly string[]) =>
  after.filter((line) => !before.includes(line)).map((line) => line.trim())

test('[GHT-7] [GHT-8] [GHT-9] given a move and a wire, when the texts are compared, then each is one line', () => {
  const before = linesOf([part(10), part(20), part(30, { senders: [10] })])
  assert.deepEqual(changed(before, linesOf([part(10), part(20, { x: 77 }), part(30, { senders: [10] })])), [
    'Attributes { Bounds = rectanglef ~ -20.0 -10.0 40 20; Pivot = pointf 77 5 }',
  ])
  const wired = linesOf([part(10), part(20), part(30, { senders: [20, 10] })])
  assert.equal(wired.length, before.length + 1)
  assert.deepEqual(changed(before, wired), [`Source[] = ${buildId(20)}  # <- Part "Width"`])
})

test('[GHT-6] given objects without ids or with the same one, when turned into text, then each has its place', () => {
  const nameless = buildChunk('Object', [buildItem('string', 'Name', 'Old')])
  const lines = linesOf([part(1), nameless, part(1), { ...part(2) }]).map((line) => line.trim())
  assert.deepEqual(
    lines.filter((line) => line.startsWith('object ')).map((line) => line.split(' ')[1]),
    [buildId(1), buildId(2), '@1', '@2'],
  )
})

test('[GHT-12] given clusters in clusters, when turned into text, then their contents are in it, and come back', () => {
  const inner = buildContent([part(5, { nickName: 'Deep inside' })])
  const file = buildDefinition([
    buildCluster({ id: 50, content: buildContent([buildCluster({ id: 51, content: inner })]) }),
    buildCluster({ id: 52, content: new Uint8Array(deflateRawSync(Buffer.from('no archive'))) }),
    buildCluster({
      id: 53,
      content: new Uint8Array(deflateRawSync(writeInflatedArchive(readArchive(inner)), { level: 1 })),
    }),
  ])
  assert.equal(toText(file).match(/NickName = "Deep inside"/g)?.length, 2)
  assert.match(toReadingText(file), /sha256/)
})

test('[GHT-17] given bytes, when turned into a text for reading, then it has their number and digest', () => {
  const file = buildDefinition([], [buildItem('bytearray', 'ON_Data', new Uint8Array(5000))])
  assert.match(toReadingText(file), /ON_Data = bytearray 5000 {2}# sha256 [0-9a-f]{16}…/)
})

test('[GHT-5] given chunks and items, when turned into text, then items come first, and few short ones stand in braces', () => {
  const inner = buildChunk('Few', [buildItem('int32', 'A', 1), buildItem('string', 'B C', 'x')])
  const many = buildChunk(
    'Many',
    ['A', 'B', 'C', 'D', 'E'].map((name) => buildItem('bool', name, true)),
  )
  const text = toText(toGh({ root: buildChunk('Root', [inner, buildItem('double', 'Last', 5), many]) }))
  assert.deepEqual(text.split('\n'), [
    'meadow-text 1',
    'Root { Last = 5.0 }',
    '  Few { A = 1; "B C" = "x" }',
    '  Many',
    ...['A', 'B', 'C', 'D', 'E'].map((name) => `    ${name} = true`),
    '',
  ])
})

test('[GHT-16] given more lines than a text may have, when they are written, then it is too large', () => {
  const sink = new LineSink()
  const line = 'x'.repeat(2 ** 20)
  for (let lines = 0; lines < 255; lines++) sink.push(0, line)
  assert.throws(() => sink.push(0, line), { code: 'too_large' })
})
