import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listSamples } from '../../../grasshopper/src/archive/testing/samples.ts'
import {
  type Archive,
  type Chunk,
  describeClusters,
  describeStored,
  type Item,
  readArchive,
  readClusters,
  readDefinition,
  writeArchive,
} from '../../../grasshopper/src/index.ts'
import { LAYOUT } from '../../../grasshopper/src/meaning/describe-stored.ts'
import {
  buildArchive,
  buildChunk,
  buildId,
  buildItem,
  buildObject,
  buildPort,
} from '../../../grasshopper/src/testing/build-archive.ts'
import { buildCluster, buildContent } from '../../../grasshopper/src/testing/build-cluster.ts'
import { describeChange } from './describe-change.ts'
import { type DocumentContent, diffDocuments } from './diff-documents.ts'

const read = (archive: Archive): DocumentContent => {
  const { content, original } = readDefinition(writeArchive(archive, { form: 'gh' }))
  return { ...content, clusters: describeClusters(readClusters(original)), stored: describeStored(original) }
}

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const SHADER = 'dddddddd-0000-4000-8000-000000000077'
const slider = (id: number, value: number) =>
  buildObject({
    ...{ guid: SLIDER, id, name: 'Number Slider', nickName: 'Width' },
    container: [buildChunk('Slider', [buildItem('double', 'Max', 10), buildItem('double', 'Value', value)])],
  })
const shader = (source: string, fitness = 1, x = 10) =>
  buildObject({
    ...{ guid: SHADER, id: 5, name: 'Shader' },
    container: [
      buildItem('string', 'FragmentShader', source),
      buildChunk('Attributes', [buildItem('drawing_pointf', 'Pivot', { x, y: 0 })]),
      buildChunk('GalapagosData', [buildItem('guid', 'fitness', buildId(fitness))]),
      buildPort('param_input', 0, 6),
    ],
  })
const group = (name: string) =>
  buildObject({
    ...{ guid: 'c552a431-af5b-46a9-a8a4-0fcbc27ef596', id: 9, name: 'Group', nickName: 'Outer' },
    container: [buildItem('string', 'Style', name)],
  })
const diff = (before: Archive, after: Archive) => diffDocuments(read(before), read(after))
const say = (before: Archive, after: Archive) => diff(before, after).changes.map(describeChange)

test('[DIFF-12] given a node whose stored data alone differs, when compared, then it is a change that names the data', () => {
  const before = buildArchive([slider(1, 3), shader('a'), group('a')])
  assert.deepEqual(say(before, buildArchive([slider(1, 3), shader('a'), group('a')])), [])
  assert.deepEqual(say(before, buildArchive([slider(1, 3), shader('b'), group('a')])), [
    'Settings of Shader: options {"fragmentShader":"a"} → {"fragmentShader":"b"}',
  ])
  assert.deepEqual(say(before, buildArchive([slider(1, 3), shader('a', 2), group('a')])), [
    'Other settings of Shader: GalapagosData',
  ])
  assert.deepEqual(say(before, buildArchive([slider(1, 3), shader('a'), group('b')])), [
    'Other settings of the group "Outer": Style',
  ])
  assert.deepEqual(say(before, buildArchive([slider(1, 4), shader('a'), group('a')])), [
    'Values of Width: 3 → 4',
  ])
  const moved = diff(before, buildArchive([slider(1, 3), shader('a', 1, 50), group('a')]))
  assert.deepEqual([moved.changes, moved.layout.map(({ kind }) => kind)], [[], ['node_moved']])
  const about = buildChunk('StateServer', [buildItem('string', 'State', 'x')])
  assert.deepEqual(say(before, buildArchive([slider(1, 3), shader('a'), group('a')], [about])), [
    'Other settings of the file: StateServer',
  ])
})

test('[DIFF-12] given a cluster whose nodes differ in stored data, when compared, then the change says where', () => {
  const inside = (fitness: number) =>
    buildArchive([buildCluster({ id: 50, content: buildContent([shader('a', fitness), slider(1, 3)]) })])
  const { changes } = diff(inside(1), inside(2))
  assert.equal(changes.length, 1)
  assert.equal(changes[0]!.clusters?.[0]?.instanceId, buildId(50))
})

/** A small archive for each of a few kinds, and small samples. */
const ORIGINALS: Archive[] = [
  buildArchive(
    [slider(1, 3), slider(2, 4), shader('a'), group('a')],
    [buildChunk('DefinitionProperties', [buildItem('string', 'Description', 'about')])],
  ),
  buildArchive([buildCluster({ id: 50, content: buildContent([shader('a'), slider(1, 3)]) })]),
  ...listSamples('gh', 'ghx')
    .filter(({ bytes }) => bytes.length < 8000)
    .slice(0, 4)
    .map(({ bytes }) => readArchive(bytes)),
]

interface Place {
  chunk: Chunk
  at: number
}

function* listPlaces(chunk: Chunk): Generator<Place> {
  for (const at of chunk.items.keys()) yield { chunk, at }
  for (const child of chunk.chunks) yield* listPlaces(child)
}

const isLayout = ({ chunk, at }: Place): boolean =>
  LAYOUT[chunk.name]?.includes(chunk.items[at]!.name) ?? false

/** Another value of the same type; undefined for values that are hard to change without breaking the archive. */
function changeItem(item: Item): Item | undefined {
  switch (item.type) {
    case 'bool':
      return { ...item, value: !item.value }
    case 'int32':
      return { ...item, value: item.value ^ 1 }
    case 'string':
      return { ...item, value: `${item.value}x` }
    case 'double':
    case 'single':
      return { ...item, value: item.value === 0.5 ? 0.25 : 0.5 }
    case 'guid':
      return { ...item, value: item.value === buildId(777) ? buildId(778) : buildId(777) }
    case 'drawing_color':
      return { ...item, value: item.value ^ 1 }
    default:
      return undefined
  }
}

test('[DIFF-12] given a random edit of any item of any chunk, when compared, then it is a change, unless it is layout', () => {
  fc.assert(
    fc.property(fc.nat(ORIGINALS.length - 1), fc.nat(), (which, number) => {
      const original = ORIGINALS[which]!
      const edited = structuredClone(original)
      const places = [...listPlaces(edited.root)]
      const place = places[number % places.length]!
      const item = place.chunk.items[place.at]!
      const changed = changeItem(item)
      if (!changed || isLayout(place)) return
      place.chunk.items[place.at] = changed
      let after: DocumentContent
      try {
        after = read(edited)
      } catch {
        return // An id that is there twice, for example: that is no definition any more.
      }
      const { changes, layout } = diffDocuments(read(original), after)
      const what = `${place.chunk.name}/${item.name} #${item.index} of archive ${which}`
      assert.ok(changes.length + layout.length > 0, what)
    }),
    { numRuns: 60 },
  )
})
