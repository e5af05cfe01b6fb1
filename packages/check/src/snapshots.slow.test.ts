import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createModelFile } from '../../../apps/server/src/features/solves/testing/models.ts'
import { compareSnapshot } from './snapshot/compare-snapshot.ts'
import { formatSnapshot, type SnapshotPort, type TakenPort } from './snapshot/snapshot.ts'
import { createCheckFolder, listFindings } from './testing/check-folder.ts'
import {
  addition,
  booleans,
  buildDefinition,
  numbers,
  point,
  referencedCurve,
  script,
  slider,
  texts,
} from './testing/definitions.ts'

const SNAPSHOT = 'a.gh.snapshot.json'

/** A sum, a text, a truth value and a point. */
const define = (height: number, ...more: Parameters<typeof buildDefinition>[0]) =>
  buildDefinition([
    slider(1, height, 'Height'),
    numbers(2, [1, 2]),
    addition(10, [1], [2]),
    texts(20, [], { from: [2], nickName: 'Label' }),
    point(30, 1, 2, 2),
    booleans(40, [true]),
    booleans(41, [], { from: [40], nickName: 'Is true' }),
    ...more,
  ])

test('[CHK-8] given a definition, when a snapshot is made, then it has the ends of the graph, a line for each value, and the next run agrees', async (t) => {
  const { check, read } = createCheckFolder(t, { 'a.gh': define(4) })
  const [missing] = (await check()).files
  assert.equal(missing?.snapshot, 'missing')
  const written = await check({ update: true })
  assert.deepEqual(
    [written.files[0]?.snapshot, written.counts.snapshotsWritten, written.isOk],
    ['written', 1, true],
  )
  const text = read(SNAPSHOT)
  const { ports } = JSON.parse(text) as { ports: SnapshotPort[] }
  assert.deepEqual(
    ports.map(({ name, portName, data }) => [name, portName, data]),
    [
      ['Addition', 'Port 13', { '{0}': [5, 6] }],
      ['Label', undefined, { '{0}': ['1', '2'] }],
      ['Construct Point', 'Port 34', { '{0}': [{ point: [4, 1, 1] }, { point: [4, 2, 2] }] }],
      ['Is true', undefined, { '{0}': [true] }],
    ],
  )
  assert.equal(text, formatSnapshot({ ports }))
  assert.ok(text.split('\n').includes('          {"point":[4,2,2]}'))
  assert.equal((await check()).files[0]?.snapshot, 'same')
})

test('[CHK-8] given a change, when it is beyond the tolerance, then node, port, path, index and both values are named', async (t) => {
  const { check, write, read } = createCheckFolder(t, { 'a.gh': define(4) })
  await check({ update: true })
  const first = read(SNAPSHOT)

  write('a.gh', define(4.0000001))
  assert.deepEqual(listFindings(await check()), [])
  await check({ update: true })
  assert.equal(read(SNAPSHOT), first, 'what still holds stays as it was')

  write('a.gh', define(5))
  const report = await check()
  assert.deepEqual(listFindings(report), [
    'a.gh error snapshot-different Addition: Addition, Port 13 at {0}[0]: expected 5, found 6',
    'a.gh error snapshot-different Addition: Addition, Port 13 at {0}[1]: expected 6, found 7',
    'a.gh error snapshot-different Construct Point: Construct Point, Port 34 at {0}[0]: expected {"point":[4,1,1]}, found {"point":[5,1,1]}',
    'a.gh error snapshot-different Construct Point: Construct Point, Port 34 at {0}[1]: expected {"point":[4,2,2]}, found {"point":[5,2,2]}',
  ])
  assert.equal(report.isOk, false)

  write('meadow.check.yaml', 'snapshot: { absolute: 1 }')
  assert.ok((await check()).isOk)
  write('meadow.check.yaml', 'snapshot: { nodes: [Add*] }')
  const named = await check()
  assert.deepEqual(listFindings(named).filter((line) => /no longer an output/.test(line)).length, 3)

  write('meadow.check.yaml', '')
  write(
    'a.gh',
    define(4, numbers(50, [7], { nickName: 'Fresh' }), numbers(51, [], { from: [50], nickName: 'End' })),
  )
  assert.deepEqual(listFindings(await check()), [
    'a.gh error snapshot-different End: End is not in the snapshot',
  ])
  await check({ update: true })
  const lines = first.split('\n').length
  const added = read(SNAPSHOT)
  assert.ok(added.split('\n').length > lines && added.startsWith(first.slice(0, -20)))
})

test('[CHK-8] given a snapshot that is missing or damaged, then it fails when it is asked for, or is there', async (t) => {
  const { check, write } = createCheckFolder(t, { 'a.gh': define(4) })
  assert.deepEqual(listFindings(await check({ requireSnapshots: true })), [
    'a.gh error snapshot-missing There is no snapshot. Make one with --update',
  ])
  const damaged = ['', '{', '[]', '{"meadowSnapshot":2,"ports":[]}', '{"meadowSnapshot":1,"ports":[null]}']
  for (const [index, text] of damaged.entries()) {
    write(`${index}.gh`, define(4))
    write(`${index}.gh.snapshot.json`, text)
  }
  const findings = listFindings(await check())
  assert.equal(findings.length, damaged.length, findings.join('\n'))
  for (const [index, finding] of findings.entries())
    assert.match(finding, RegExp(`^${index}.gh error snapshot-different The snapshot cannot be read`))
  await check({ update: true })
  assert.ok((await check({ requireSnapshots: true })).isOk)
})

test('[CHK-8] given an output that is no longer known, then that is no match, and a warning where it is allowed', async (t) => {
  const { check, write, read } = createCheckFolder(t, {
    'a.gh': buildDefinition([numbers(1, [1]), numbers(5, [], { from: [1], nickName: 'End' })]),
    'meadow.check.json': { rules: { script: 'off', 'unknown-value': 'off' } },
  })
  await check({ update: true })
  write('a.gh', buildDefinition([script(1), numbers(5, [], { from: [3], nickName: 'End' })]))
  assert.deepEqual(listFindings(await check()), [
    'a.gh error snapshot-unknown End: End is not known: Meadow cannot solve what it depends on',
  ])
  const allowed = await check({ allowUnknown: true })
  assert.deepEqual([allowed.isOk, allowed.counts.warnings], [true, 1])
  await check({ update: true })
  assert.match(read(SNAPSHOT), /"unknown": true/)
  assert.ok((await check()).isOk)
})

/** Values of snapshots, with numbers apart by more than rounding and tolerance. */
const arbitraryValue = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -1e6, max: 1e6 }),
  fc.string(),
  fc.record({ point: fc.tuple(fc.integer(), fc.integer(), fc.integer()) }),
)
const arbitraryPorts = fc
  .uniqueArray(
    fc.record({
      node: fc.uuid(),
      name: fc.string(),
      port: fc.constant('p'),
      data: fc.dictionary(fc.stringMatching(/^\{\d\}$/), fc.array(arbitraryValue, { maxLength: 4 }), {
        noNullPrototype: true,
      }),
    }),
    { selector: ({ node }) => node, maxLength: 5 },
  )
  .map((ports) => ports.toSorted((a, b) => (a.node < b.node ? -1 : 1)))

const TOLERANCE = { absolute: 1e-6, relative: 0 }
const toTaken = (ports: readonly SnapshotPort[]): TakenPort[] =>
  ports.map((port) => ({ port, place: { id: port.node, name: port.name, component: '', x: 0, y: 0 } }))

test('[CHK-8] given any two sets of outputs, then the text of the second is what an update writes, and agrees with it', () => {
  fc.assert(
    fc.property(arbitraryPorts, arbitraryPorts, (old, fresh) => {
      const text = formatSnapshot({ ports: old })
      assert.deepEqual(compareSnapshot(toTaken(old), text, TOLERANCE), { faults: [] })
      const { faults, text: written } = compareSnapshot(toTaken(fresh), text, TOLERANCE)
      assert.equal(faults.length > 0, written !== undefined)
      assert.deepEqual(compareSnapshot(toTaken(fresh), written ?? text, TOLERANCE), { faults: [] })
    }),
  )
})

test('[CHK-11] given an object of a Rhino model, when a model beside the definition or above it has it, then it is solved', async (t) => {
  const line = { type: 'line', from: { x: 0, y: 0, z: 0 }, to: { x: 3, y: 4, z: 0 } } as const
  const { bytes, ids } = await createModelFile([line as never])
  const definition = buildDefinition([referencedCurve(1, ids[0]!)])
  const { check } = createCheckFolder(t, {
    'beside/a.gh': definition,
    'beside/model.3dm': bytes,
    'above/inner/b.gh': definition,
    'above/model.3dm': bytes,
    'nowhere/c.gh': definition,
    'damaged/d.gh': definition,
    'damaged/model.3dm': 'no model',
  })
  assert.deepEqual(
    listFindings(await check()).map((line) => line.replace(ids[0]!, 'ID')),
    [
      'damaged/d.gh warning unknown-value Curve: The object ID of a Rhino model is not at hand: no model in its folder, or above it, has it',
      'nowhere/c.gh warning unknown-value Curve: The object ID of a Rhino model is not at hand: no model in its folder, or above it, has it',
    ],
  )
})

const SAMPLES = join(import.meta.dirname, '../../../../shared/samples')

test('[CHK-8] [CHK-10] given real definitions, when their snapshots are made and compared, then they agree, and none ends the run', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async (t) => {
  const files = globSync('**/*.{gh,ghx}', { cwd: SAMPLES }).filter((file) =>
    /Furniture|1 Algorithms/.test(file),
  )
  const { check } = createCheckFolder(
    t,
    Object.fromEntries(files.map((file) => [file, readFileSync(join(SAMPLES, file))])),
  )
  const written = await check({ update: true, jobs: 2 })
  assert.equal(written.counts.snapshotsWritten, files.length)
  assert.equal(written.counts.errors, 0)
  const again = await check({ jobs: 2 })
  assert.deepEqual(
    [again.counts.errors, again.files.filter(({ snapshot }) => snapshot !== 'same').length],
    [0, 0],
  )
})
