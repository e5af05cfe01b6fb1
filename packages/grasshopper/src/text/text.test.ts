import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { deflateAsZlib } from '@meadow/inflate'
import fc from 'fast-check'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { readArchive } from '../archive/read-archive.ts'
import { ARBITRARY_ARCHIVE, ARBITRARY_ITEMS } from '../archive/testing/arbitrary-archive.ts'
import type { Archive, Chunk, Item } from '../archive/tree/archive.ts'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { writeArchive } from '../archive/write-archive.ts'
import {
  buildArchive,
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPort,
} from '../testing/build-archive.ts'
import { buildCluster, buildContent } from '../testing/build-cluster.ts'
import { fromText, toReadingText, toText } from './index.ts'

const toGh = (archive: Archive) => writeArchive(archive, { form: 'gh' })
const assertSame = (actual: Uint8Array, expected: Uint8Array) =>
  assert.ok(Buffer.from(actual).equals(expected), 'the bytes differ')

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

for (const form of ['gh', 'ghx'] as const) {
  test(`[GHT-1] [GHT-4] given any archive as ${form}, when turned into text and back, then file and text are the same`, () => {
    fc.assert(
      fc.property(ARBITRARY_ARCHIVE, (archive) => {
        const file = writeArchive(archive, { form })
        const text = toText(file)
        const { bytes, notes } = fromText(text)
        assertSame(bytes, file)
        assert.deepEqual(notes, [])
        assert.equal(toText(bytes), text)
      }),
    )
  })
}

for (const { type, item } of ARBITRARY_ITEMS) {
  test(`[GHT-10] [GHT-11] given any ${type}, when turned into text and back, then it is the same, and no character is hidden`, () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 7 }),
        fc.constantFrom('Item', 'Script', 'Attributes'),
        (items, name) => {
          const archive = { root: buildChunk('Root', [buildChunk(name, items), ...items]) }
          const text = toText(toGh(archive))
          assert.deepEqual(fromText(text).archive, archive)
          assert.doesNotMatch(text, /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/u)
        },
      ),
    )
  })
}

const LINE_ENDS = fc.array(
  fc.constantFrom('\r\n', '\n', '\r', 'a', '  b', '| c', '\t', '', '\u202e', '"', '# no'),
)

test('[GHT-10] given texts with any line ends, when turned into text and back, then they are the same', () => {
  fc.assert(
    fc.property(LINE_ENDS, (parts) => {
      const value = parts.join('')
      const script = Buffer.from(value).toString('base64')
      const archive = {
        root: buildChunk('Root', [
          buildItem('string', 'CodeInput', value),
          buildChunk('Script', [buildItem('string', 'Text', script)]),
        ]),
      }
      assert.deepEqual(fromText(toText(toGh(archive))).archive, archive)
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

test('[GHT-6] given objects without ids or with the same one, when turned into text and back, then the file is the same', () => {
  const nameless = buildChunk('Object', [buildItem('string', 'Name', 'Old')])
  const file = buildDefinition([part(1), nameless, part(1), { ...part(2) }])
  assertSame(fromText(toText(file)).bytes, file)
  const archive = buildArchive([part(2), part(1)])
  for (const [at, object] of archive.root.chunks[0]!.chunks[0]!.chunks.entries()) object.index = 7 - at
  assert.deepEqual(fromText(toText(toGh(archive))).archive, archive)
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
  const text = toText(file)
  assert.equal(text.match(/NickName = "Deep inside"/g)?.length, 2)
  assertSame(fromText(text).bytes, file)
  const { bytes, notes } = fromText(text.replaceAll('Deep inside', 'Changed'))
  assert.match(toReadingText(bytes), /sha256/)
  assert.match(notes.join(), /^A cluster was changed/)
  assert.equal(toText(bytes).match(/NickName = "Changed"/g)?.length, 2)
})

const inflated = writeInflatedArchive(buildArchive([part(1), part(2)]))

test('[GHT-2] given each known way to compress, when turned into text, then its first line names it, and nothing is kept', () => {
  const files = {
    zlib: deflateAsZlib(inflated),
    'zlib-flushed': deflateAsZlib(inflated, true),
    meadow: toGh(readArchive(deflateAsZlib(inflated))),
  }
  for (const [packing, file] of Object.entries(files)) {
    const text = toText(file)
    // Small files can be the same in both ways.
    assert.match(text, new RegExp(`^meadow-text 1 gh (?:${packing}|zlib)\n`))
    assert.doesNotMatch(text, /\nkept/)
    assertSame(fromText(text).bytes, file)
  }
})

test('[GHT-3] given a file that is compressed in an unknown way, when its text is unchanged, changed or damaged, then the file is the same, or another valid one with a note', () => {
  const file = new Uint8Array(deflateRawSync(inflated, { level: 1, memLevel: 1 }))
  const text = toText(file)
  assert.match(text, /^meadow-text 1 gh kept\n/)
  assertSame(fromText(text).bytes, file)
  assertSame(fromText(text.replaceAll('\n', '\r\n')).bytes, file)
  const edited = fromText(text.replace('NickName = "Width"', 'NickName = "Depth"'))
  assert.match(edited.notes.join(), /The text was changed/)
  assert.match(toText(edited.bytes), /^meadow-text 1 gh meadow\n[\s\S]*"Depth"/)
  for (const damaged of [text.replace(/\nkept[\s\S]*$/, '\n'), text.replace(/\n {2}: .*\n$/, '\n')]) {
    assert.deepEqual(readArchive(fromText(damaged).bytes), readArchive(file))
  }
})

test('[GHT-3] given XML with comments, when its text is unchanged or changed, then the file is the same, or one without them', () => {
  const written = Buffer.from(writeArchive(buildArchive([part(1)]), { form: 'ghx' })).toString()
  const file = Buffer.from(written.replace('<items', '<!-- here -->\n<items'))
  const text = toText(file)
  assert.match(text, /^meadow-text 1 ghx crlf mark kept\n/)
  assertSame(fromText(text).bytes, file)
  const edited = fromText(text.replace('NickName = "Width"', 'NickName = "Depth"'))
  assert.equal(Buffer.from(edited.bytes).toString(), written.replace('Width', 'Depth'))
  assert.match(edited.notes.join(), /without its comments/)
})

const MISTAKES: [what: string, change: (text: string) => string, expected: RegExp][] = [
  ['another text', () => 'Hello\n', /^This is no text of a definition/],
  [
    'a later version',
    (text) => text.replace('text 1', 'text 9'),
    /version "9", and this Meadow reads 1.*line 1/,
  ],
  ['a text for reading', () => toReadingText(buildDefinition([])), /made for reading.*line 1/],
  [
    'conflict marks',
    (text) => text.replace('      order', '<<<<<<< HEAD\n      order'),
    /A merge left a conflict.*line \d+/,
  ],
  ['a tab', (text) => text.replace('      order', '\torder'), /A tab indents this line/],
  ['one space', (text) => text.replace('      order', '       order'), /7 spaces indent/],
  ['a line too far in', (text) => text.replace('    GUID', '            GUID'), /indented too far/],
  ['no quote', (text) => text.replace('NickName = "Width"', 'NickName = "Width'), /no closing quote: add "/],
  ['no value', (text) => text.replace('= "Width"', '= Width'), /"Width" is no value: write a quoted text/],
  ['a large number', (text) => text.replace('= "Width"', '= 99999999999'), /whole number from/],
  [
    'half a point',
    (text) => text.replace(/Pivot = pointf \d+ \d+ }/, 'Pivot = pointf 10 }'),
    /is no pointf: it needs 2 numbers/,
  ],
  ['rest', (text) => text.replace('Name = "Part"\n', 'Name = "Part" 5\n'), /"5" follows the end of the fact/],
  [
    'a strange count',
    (text) => text.replace('NickName = "Width"', 'NickName = counted'),
    /Nothing in Container is counted/,
  ],
  [
    'an object twice',
    (text) => text.replace(new RegExp(`object ${buildId(2)}`), `object ${buildId(1)}`),
    /There is an object .* already/,
  ],
  ['no id', (text) => text.replace(`object ${buildId(2)}`, 'object two'), /After object its id is expected/],
  ['no brace', (text) => text.replace(' }\n', '\n'), /A closing brace is missing/],
  [
    '~ outside',
    (text) =>
      text
        .replace('    Definition', '    At = pointf ~ 1 2\n    Definition')
        .replace('Root { ', 'Root\n  Attributes\n    At = pointf ~ 1 2\n# '),
    /~ stands for the place of an object/,
  ],
  ['nothing', () => 'meadow-text 1 gh zlib\n', /An archive is missing here/],
  ['another root', (text) => text.replace('\nRoot', '\nRoof'), /An archive starts with/],
  ['lines at the end', (text) => `${text}More\n`, /follows the end of the archive/],
]

for (const [what, change, expected] of MISTAKES) {
  test(`[GHT-14] given a text with ${what}, when read, then the error names the line and what to do`, () => {
    const text = toText(buildDefinition([part(1), part(2)]))
    assert.notEqual(change(text), text)
    assert.throws(
      () => fromText(change(text)),
      (error) => {
        assert.ok(error instanceof GrasshopperError)
        assert.match(error.message, expected)
        return true
      },
    )
  })
}

test('[GHT-6] given a text without its order or with a foreign id in it, when read, then all objects are there', () => {
  const text = toText(buildDefinition([part(2), part(1)]))
  const without = fromText(text.replace(/ +order\n(?: +[0-9a-f-]{36}\n)+/, ''))
  assert.deepEqual(without.archive, buildArchive([part(1), part(2)]))
  const { notes, archive } = fromText(text.replace('order\n', `order\n        ${buildId(99)}\n`))
  assert.deepEqual(archive, buildArchive([part(2), part(1)]))
  assert.match(notes.join(), /1 objects that are not in the text/)
})

test('[GHT-14] given mutated texts, when read, then each is rejected in words or gives a file whose text gives it again', () => {
  const texts = [
    ...fc.sample(ARBITRARY_ARCHIVE, { seed: 7, numRuns: 20 }).map((archive) => toText(toGh(archive))),
    toText(buildDefinition([part(1), part(2), buildCluster({ id: 50, content: buildContent([part(3)]) })])),
  ]
  const counts = { read: 0, rejected: 0 }
  const piece = fc.constantFrom(
    '"',
    '[',
    ']',
    '{',
    '}',
    '=',
    '#',
    '~',
    '|',
    ':',
    '\n',
    '  ',
    ' ',
    '\\',
    '[]',
    ';',
    '-1',
    'kept 5',
    'object',
    'archive zlib',
    'counted',
    '\t',
    '\r',
    '9999999999',
  )
  fc.assert(
    fc.property(
      fc.nat(texts.length - 1),
      fc.array(fc.tuple(fc.nat(), fc.nat(4), piece), { minLength: 1, maxLength: 3 }),
      (which, changes) => {
        let text = texts[which]!
        for (const [at, length, put] of changes) {
          const start = at % text.length
          text = text.slice(0, start) + put + text.slice(start + length)
        }
        try {
          const { bytes } = fromText(text, { maxBytes: 1_000_000, maxElements: 10_000 })
          counts.read += 1
          assertSame(fromText(toText(bytes)).bytes, bytes)
        } catch (error) {
          if (!(error instanceof GrasshopperError)) throw error
          counts.rejected += 1
        }
      },
    ),
    { numRuns: 1500 },
  )
  const few = (counts.read + counts.rejected) / 100
  assert.ok(counts.read > few && counts.rejected > few, JSON.stringify(counts))
})

test('[GHT-16] given texts beyond limits, when read, then they are too large', () => {
  const code = (text: string, limits = {}) => {
    try {
      fromText(text, limits)
      return 'read'
    } catch (error) {
      return (error as GrasshopperError).code
    }
  }
  const start = 'meadow-text 1 gh zlib\nRoot\n'
  const nest = (depth: number) =>
    start + Array.from({ length: depth }, (_, at) => `${'  '.repeat(at + 1)}a\n`).join('')
  assert.equal(code(nest(190)), 'read')
  assert.equal(code(nest(201)), 'too_large')
  assert.equal(code(nest(5_000)), 'too_large')
  assert.equal(code(`${start}${'  a = 1\n'.repeat(11)}`, { maxElements: 10 }), 'too_large')
})

test('[GHT-17] given bytes, when turned into a text for reading, then it has their number and digest, and their text gives the same', () => {
  const file = buildDefinition([], [buildItem('bytearray', 'ON_Data', new Uint8Array(5000))])
  const text = toReadingText(file)
  assert.match(text, /ON_Data = bytearray 5000 {2}# sha256 [0-9a-f]{16}…/)
  assert.equal(toReadingText(Buffer.from(toText(file))), text)
})

test('[GHT-5] given a text with comments, empty lines, and braces opened into lines, when read, then the archive is the same', () => {
  const archive = buildArchive([part(1)])
  const text = toText(toGh(archive))
  const opened = text
    .replace(/^( *)(\S.*) \{ (.*) \}/m, (_, space, name, facts) =>
      [`${space}${name}`, ...facts.split('; ').map((fact: string) => `${space}  ${fact}  # said`)].join('\n'),
    )
    .replaceAll('\n', '\n\n  # a comment\n')
  assert.notEqual(opened, text)
  assert.deepEqual(fromText(opened).archive, archive)
})
