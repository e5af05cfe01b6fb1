import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateRawSync, deflateSync, inflateRawSync } from 'node:zlib'
import type { GraphContent } from '@meadow/document'
import fc from 'fast-check'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { readArchive } from '../archive/read-archive.ts'
import { listSamples } from '../archive/testing/samples.ts'
import type { Archive } from '../archive/tree/archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { writeDefinition } from '../definition/write-definition.ts'
import {
  buildArchive,
  buildChunk,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildPort,
} from '../testing/build-archive.ts'
import { buildCluster, buildContent } from '../testing/build-cluster.ts'
import { buildPackedGeometry } from '../testing/build-rhino-object.ts'
import { listFaults } from '../testing/check-structure.ts'
import { EDIT_KINDS, editAtRandom, editOnce } from '../testing/edit-at-random.ts'
import { toJson } from '../testing/read-objects.ts'
import { toText } from '../text/index.ts'
import { mergeArchives } from './merge-archives.ts'

const inflate = (archive: Archive) => Buffer.from(writeInflatedArchive(archive)).toString('hex')

const CURVE = 'd5967b9f-e8ee-436b-a8ad-29fdcecf32d5'
const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const place = (x: number, y: number) =>
  buildChunk('Attributes', [
    buildItem('drawing_rectanglef', 'Bounds', { x: x - 20, y, width: 40, height: 20 }),
    buildItem('drawing_pointf', 'Pivot', { x, y }),
  ])
const slider = (id: number, value: number, { nickName = 'Width', x = 0 } = {}) =>
  buildObject({
    ...{ guid: SLIDER, id, name: 'Number Slider', nickName },
    container: [
      place(x, 0),
      buildChunk('Slider', [buildItem('double', 'Max', 10), buildItem('double', 'Value', value)]),
    ],
  })
const box = (id: number, senders: number[], x = 100) =>
  buildObject({
    ...{ guid: '79aa7f47-397c-4d3f-9761-aaf421bb7f5f', id, name: 'Box' },
    container: [place(x, 50), buildPort('param_input', 0, id + 1, { senders, parts: [place(x - 20, 50)] })],
  })
const base = buildArchive([slider(1, 5), slider(2, 6), box(10, [1])])
const merge = (ours: Archive, theirs: Archive) => mergeArchives(base, ours, theirs)

test('[GHM-1] given changes of different facts and nodes, when merged, then all of them are in the result', () => {
  const ours = buildArchive([slider(1, 7), slider(2, 6, { x: 300 }), box(10, [1, 2])])
  const theirs = buildArchive([slider(1, 5, { nickName: 'Depth' }), slider(2, 9), box(10, [1]), slider(3, 1)])
  const expected = buildArchive([
    slider(1, 7, { nickName: 'Depth' }),
    slider(2, 9, { x: 300 }),
    box(10, [1, 2]),
    slider(3, 1),
  ])
  const { archive, conflicts } = merge(ours, theirs)
  assert.deepEqual(conflicts, [])
  assert.deepEqual(archive, expected)
})

test('[GHM-2] given wires of both sides into one port, when merged, then it has them all, and their count', () => {
  const theirs = buildArchive([slider(1, 5), slider(2, 6), slider(3, 1), box(10, [1, 3])])
  const { archive, conflicts } = merge(buildArchive([slider(1, 5), slider(2, 6), box(10, [1, 2])]), theirs)
  assert.deepEqual(conflicts, [])
  assert.deepEqual(archive, buildArchive([slider(1, 5), slider(2, 6), slider(3, 1), box(10, [1, 2, 3])]))
})

test('[GHM-3] given two values of one fact, when merged, then the conflict names it, and the preferred side stays', () => {
  const [ours, theirs] = [7, 8].map((value) => buildArchive([slider(1, value), slider(2, 6), box(10, [1])]))
  const { archive, conflicts } = merge(ours!, theirs!)
  assert.deepEqual(conflicts, [
    {
      where: `Number Slider "Width" (${buildId(1)}), Container/Slider/Value`,
      what: 'it was 5.0, we made it 7.0, they made it 8.0',
    },
  ])
  assert.deepEqual(archive, ours)
  assert.deepEqual(mergeArchives(base, ours!, theirs!, 'theirs').archive, theirs)
})

test('[GHM-4] given a node that one side removed and the other changed, when merged, then it is a conflict; a move is none', () => {
  const removed = buildArchive([slider(2, 6), box(10, [])])
  const { conflicts } = merge(removed, buildArchive([slider(1, 5.5), slider(2, 6), box(10, [1])]))
  assert.deepEqual(
    conflicts.map(({ what }) => what),
    ['they changed it, we removed it'],
  )
  const moved = merge(buildArchive([slider(1, 5, { x: 77 }), slider(2, 6), box(10, [1])]), removed)
  assert.deepEqual(moved.conflicts, [])
  assert.deepEqual(moved.archive, removed)
})

test('[GHM-5] given a wire to a node that the other side removed, when merged, then it is a conflict, and no wire dangles', () => {
  const ours = buildArchive([slider(1, 5), box(10, [1])])
  const theirs = buildArchive([slider(1, 5), slider(2, 6), box(10, [1, 2])])
  const { archive, conflicts } = merge(ours, theirs)
  assert.match(conflicts[0]!.what, /wire from Number Slider "Width", which we removed/)
  assert.equal(conflicts.length, 1)
  assert.deepEqual(archive, ours)
})

test('[GHM-6] given a node that both sides moved, when merged, then its place alone is a conflict', () => {
  const [ours, theirs] = [300, 400].map((x) => buildArchive([slider(1, 5), slider(2, 6), box(10, [1], x)]))
  const { conflicts } = merge(ours!, theirs!)
  assert.deepEqual(
    conflicts.map(({ where }) => where),
    [`Box (${buildId(10)}), Container/Attributes/Pivot`],
  )
})

test('[GHM-7] given values that both sides changed in number, when merged, then it is a conflict; values at the end of one side are none', () => {
  const withValues = (...values: number[]) =>
    buildArchive([
      buildObject({
        ...{ guid: SLIDER, id: 1 },
        container: [
          buildPersistentData({ '{0}': values.map((value) => [buildItem('double', 'number', value)]) }),
        ],
      }),
    ])
  const before = withValues(1, 2, 3)
  const both = mergeArchives(before, withValues(1, 2, 3, 4), withValues(1, 9, 3))
  assert.deepEqual(both, { archive: withValues(1, 9, 3, 4), conflicts: [] })
  assert.equal(mergeArchives(before, withValues(0, 1, 2, 3), withValues(1, 2, 9)).conflicts.length, 1)
  assert.equal(mergeArchives(before, withValues(1, 2), withValues(1, 2, 3, 4)).conflicts.length, 1)
})

test('[GHM-8] given a cluster that both sides changed inside, when merged, then its contents are', () => {
  const withContent = (first: number, second: number) =>
    buildArchive([buildCluster({ id: 50, content: buildContent([slider(1, first), slider(2, second)]) })])
  const { archive, conflicts } = mergeArchives(withContent(1, 2), withContent(3, 2), withContent(1, 4))
  assert.deepEqual(conflicts, [])
  assert.equal(inflate(archive), inflate(withContent(3, 4)))
})

const script = (text: string, { ends = '\n', isNew = false } = {}) => {
  const value = text.replaceAll('\n', ends)
  const part = isNew
    ? buildChunk('Script', [buildItem('string', 'Text', Buffer.from(value).toString('base64'))])
    : buildItem('string', 'ScriptSource', value)
  return buildArchive([buildObject({ guid: SLIDER, id: 7, name: 'Script', container: [place(0, 0), part] })])
}

test('[GHM-13] given a script that both sides changed in different lines, when merged, then it has the changes of both, also when it is encoded, or a side has other line ends', () => {
  const base = 'a = 1\nb = 2\nc = 3\nd = 4\n'
  const [ours, theirs] = [base.replace('a = 1', 'a = 10'), `${base.replace('d = 4', 'd = 40')}e = 5\n`]
  const both = 'a = 10\nb = 2\nc = 3\nd = 40\ne = 5\n'
  for (const isNew of [false, true])
    assert.deepEqual(
      mergeArchives(script(base, { isNew }), script(ours, { isNew }), script(theirs, { isNew })),
      { archive: script(both, { isNew }), conflicts: [] },
    )
  const windows = { ends: '\r\n' }
  assert.deepEqual(mergeArchives(script(base, windows), script(ours, windows), script(theirs)), {
    archive: script(both, windows),
    conflicts: [],
  })
})

test('[GHM-13] given lines of a script that both sides changed, when merged, then each place is a conflict with its lines, and the others are merged', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`)
  const change = (changes: Record<number, string>) =>
    script(lines.map((line, at) => changes[at + 1] ?? line).join('\n'))
  const [ours, theirs] = [
    change({ 3: 'ours', 10: 'only ours', 20: 'x', 21: 'y' }),
    change({ 3: 'theirs', 15: 'only theirs', 21: 'z' }),
  ]
  const { archive, conflicts } = mergeArchives(script(lines.join('\n')), ours, theirs)
  assert.deepEqual(conflicts, [
    {
      where: `Script (${buildId(7)}), Container/ScriptSource`,
      what: 'both sides changed line 3: we have "ours", they have "theirs"',
    },
    {
      where: `Script (${buildId(7)}), Container/ScriptSource`,
      what: 'both sides changed lines 20 to 21: we have "x ⏎ y", they have "line 20 ⏎ z"',
    },
  ])
  assert.deepEqual(archive, change({ 3: 'ours', 10: 'only ours', 15: 'only theirs', 20: 'x', 21: 'y' }))
  const added = (text: string) => script(lines.join('\n').replace('line 5\n', `line 5\n${text}\n`))
  const both = mergeArchives(script(lines.join('\n')), added('ours'), added('theirs'), 'theirs')
  assert.equal(
    both.conflicts[0]!.what,
    'both sides added lines after line 5: we have "ours", they have "theirs"',
  )
  assert.deepEqual(both.archive, added('theirs'))
})

test('[GHM-12, GHM-13] given scripts of too many lines, or of too many equal ones, when merged, then it ends, with one conflict', () => {
  for (const lines of [Array.from({ length: 5001 }, (_, at) => String(at)), Array(1000).fill('')]) {
    const change = (at: number) => script(lines.with(at, 'changed').join('\n'))
    const { conflicts } = mergeArchives(script(lines.join('\n')), change(5), change(900))
    assert.match(conflicts[0]!.what, /^it was /)
    assert.equal(conflicts.length, 1)
  }
})

test('[GHM-13] given random edits of lines that lie apart, when merged, then never a conflict, and the text is that of both', () => {
  const line = fc.constantFrom('', 'a', 'b', 'x = 1', 'return x')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, fc.constantFrom('keep', 'ours', 'theirs'), fc.array(line, { maxLength: 3 }))),
      (edits) => {
        // A line of its own between two edits, and at both ends: those that touch are a conflict.
        const text = (side?: 'ours' | 'theirs' | 'both') =>
          edits
            .flatMap(([old, editor, edit], at) => [
              `# part ${at}`,
              ...(editor !== 'keep' && (side === 'both' || side === editor) ? edit : [old]),
            ])
            .concat('# end', '')
            .join('\n')
        assert.deepEqual(mergeArchives(script(text()), script(text('ours')), script(text('theirs'))), {
          archive: script(text('both')),
          conflicts: [],
        })
      },
    ),
  )
})

/** ON_Data as another version of Rhino writes it: other stamps, other compression. */
function packAnew(packed: Uint8Array, stamp: number): Uint8Array {
  const record = Buffer.from(inflateRawSync(packed))
  const version = record.indexOf('Version=') + 'Version='.length
  record.write(String(stamp % 10), version)
  record.writeInt32LE(stamp, record.indexOf(int32(2345)))
  return new Uint8Array(deflateRawSync(record, { level: stamp % 10 }))
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
const DATA = Buffer.from('an object of openNURBS, of which nothing is known but its bytes')

/** A PNG file of 2 × 2 pixels whose rows have this filter: other bytes, the same picture. */
function picture(filter: 0 | 1, red = 200): Uint8Array {
  const pixels = [0, 1].map(() => [red, 10, 20, 255, red, 10, 20, 255])
  const rows = pixels.map((row) =>
    filter === 0 ? [0, ...row] : [1, ...row.map((value, at) => (value - (row[at - 4] ?? 0)) & 255)],
  )
  const part = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      part('IHDR', Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0])),
      part('IDAT', deflateSync(Buffer.from(rows.flat()))),
      part('IEND', Buffer.alloc(0)),
    ]),
  )
}

test('[GHM-14] given geometry and icons that both sides wrote anew, when merged, then they are no conflicts, and the changes of both are there', () => {
  const packed = new Uint8Array(buildPackedGeometry('Rhino.Geometry.LineCurve', DATA))
  const build = (values: [number, number], data: Uint8Array, icon: Uint8Array) =>
    buildArchive([
      slider(1, values[0]),
      slider(2, values[1]),
      buildObject({
        ...{ guid: CURVE, id: 5, name: 'Curve' },
        container: [
          place(0, 0),
          buildItem('drawing_bitmap', 'IconOverride', icon),
          buildPersistentData({ '{0}': [[buildItem('bytearray', 'ON_Data', data)]] }),
        ],
      }),
    ])
  const before = build([5, 6], packed, picture(0))
  const ours = build([7, 6], packAnew(packed, 7), picture(1))
  const theirs = build([5, 9], packAnew(packed, 4), picture(0))
  const { archive, conflicts } = mergeArchives(before, ours, theirs)
  assert.deepEqual(conflicts, [])
  assert.deepEqual(archive, build([7, 9], packAnew(packed, 7), picture(1)))
  const removed = buildArchive([slider(1, 5), slider(2, 1)])
  assert.deepEqual(
    mergeArchives(before, removed, build([5, 6], packAnew(packed, 4), picture(1))).conflicts,
    [],
  )

  const other = (text: string) =>
    new Uint8Array(buildPackedGeometry('Rhino.Geometry.LineCurve', Buffer.from(text)))
  const changed = [other('ours'), other('theirs')].map((data) => build([5, 6], data, picture(0)))
  assert.equal(mergeArchives(before, changed[0]!, changed[1]!).conflicts.length, 1)
  const icons = [100, 101].map((red) => build([5, 6], packed, picture(0, red)))
  assert.equal(mergeArchives(before, icons[0]!, icons[1]!).conflicts.length, 1)
})

const samples = listSamples('gh').filter(({ bytes }) => bytes.length < 30_000)
const originals = [
  { name: 'built.gh', bytes: writeArchive(base, { form: 'gh' }) },
  ...samples.filter((_, at) => at % 4 === 0),
]
const edited = (name: string, original: Uint8Array, content: GraphContent) =>
  readArchive(writeDefinition({ name, ...content }, { original }).bytes)

test('[GHM-9] given random edits of one side, when merged with none or the same of the other, then the result is that side, byte by byte', () => {
  fc.assert(
    fc.property(fc.gen(), fc.nat(originals.length - 1), (g, at) => {
      const { name, bytes } = originals[at]!
      const before = readArchive(bytes)
      const after = edited(name, bytes, editAtRandom(toJson(readDefinition(bytes).content), g))
      const expected = inflate(after)
      for (const [ours, theirs] of [
        [after, before],
        [before, after],
        [after, after],
      ] as const) {
        const { archive, conflicts } = mergeArchives(before, ours, theirs)
        assert.deepEqual(conflicts, [])
        assert.equal(inflate(archive), expected)
      }
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

const withoutNumber = (fault: string) => fault.replace(/^Object #\d+/, '')

test('[GHM-10] given random edits of both sides, when merged, then the archive is sound, whichever side is preferred', () => {
  fc.assert(
    fc.property(fc.gen(), fc.nat(originals.length - 1), (g, at) => {
      const { name, bytes } = originals[at]!
      const content = toJson(readDefinition(bytes).content)
      const [ours, theirs] = [900_000, 950_000].map((firstId) =>
        edited(name, bytes, editAtRandom(content, g, 5, firstId)),
      )
      for (const preferred of ['ours', 'theirs'] as const) {
        const { archive } = mergeArchives(readArchive(bytes), ours!, theirs!, preferred)
        assert.deepEqual(readArchive(writeArchive(archive, { form: 'gh' })), archive)
        const known = [ours!, theirs!].flatMap((one) => listFaults(one)).map(withoutNumber)
        assert.deepEqual(
          listFaults(archive).filter((fault) => !known.includes(withoutNumber(fault))),
          [],
        )
      }
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

const KINDS = EDIT_KINDS.filter((kind) =>
  ['move', 'rename', 'toggleStatus', 'choose', 'flag', 'setLiteral'].includes(kind),
)

test('[GHM-1] given edits of two nodes, when merged, then never a conflict, and the same as one after the other', () => {
  fc.assert(
    fc.property(
      fc.gen(),
      fc.nat(originals.length - 1),
      fc.constantFrom(...KINDS),
      fc.constantFrom(...KINDS),
      (g, at, first, second) => {
        const { name, bytes } = originals[at]!
        const content = toJson(readDefinition(bytes).content)
        const ours = editOnce(content, g, first)
        const theirs = editOnce(content, g, second)
        const changed = (after: GraphContent) =>
          Object.keys(after.nodes).filter(
            (id) => JSON.stringify(after.nodes[id]) !== JSON.stringify(content.nodes[id]),
          )
        fc.pre(!changed(ours).some((id) => changed(theirs).includes(id)))
        const both = { ...ours, nodes: { ...ours.nodes } }
        for (const id of changed(theirs)) both.nodes[id] = theirs.nodes[id]!
        const { archive, conflicts } = mergeArchives(
          readArchive(bytes),
          edited(name, bytes, ours),
          edited(name, bytes, theirs),
        )
        assert.deepEqual(conflicts, [])
        assert.equal(inflate(archive), inflate(edited(name, bytes, both)))
      },
    ),
    { numRuns: 50, endOnFailure: true },
  )
})

test('[GHM-11] given facts of the session that differ, when merged, then they are no conflict', () => {
  const saved = (at: bigint, revision: number, zoom: number) =>
    buildArchive(
      [],
      [
        buildItem('version', 'plugin_version', { major: 1, minor: 0, revision }),
        buildChunk('DefinitionProperties', [
          buildItem('date', 'Date', at),
          buildChunk('Projection', [buildItem('single', 'Zoom', zoom)]),
        ]),
      ],
    )
  const { archive, conflicts } = mergeArchives(saved(1n, 7, 1), saved(5n, 8, 2), saved(9n, 7, 3))
  assert.deepEqual(conflicts, [])
  assert.deepEqual(archive, saved(9n, 8, 2))
  assert.deepEqual(mergeArchives(saved(1n, 6, 1), saved(5n, 7, 2), saved(9n, 8, 3)).archive, saved(9n, 8, 2))
})

test('[GHM-12] given thirty thousand items and chunks of one name, and as many lists, when merged, then it ends', () => {
  const hostile = (value: number) => {
    const items = Array.from({ length: 30_000 }, (_, at) =>
      buildItem('int32', 'SourceCount', at % 2 ? value : 5),
    )
    const lists = Array.from({ length: 30_000 }, (_, at) => buildItem('int32', `List ${at}`, value, 0))
    const chunks = Array.from({ length: 30_000 }, (_, at) =>
      buildChunk('Twin', [buildItem('int32', 'A', value)], at % 3),
    )
    return { root: buildChunk('Root', [...items, ...lists, ...chunks]) }
  }
  const { archive } = mergeArchives(hostile(1), hostile(1), hostile(2))
  assert.deepEqual(archive, hostile(2))
  const { conflicts } = mergeArchives(hostile(1), hostile(3), hostile(2))
  assert.ok(conflicts.length > 30_000)
  assert.doesNotThrow(() => toText(writeArchive(hostile(1), { form: 'gh' })))
})
