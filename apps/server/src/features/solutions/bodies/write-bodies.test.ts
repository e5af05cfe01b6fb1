import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  BimDocument,
  DataTree,
  DataValue,
  DocumentId,
  EncodedGeometry,
  Solution,
  SolutionId,
} from '@meadow/contract'
import { createPlatformId, toLocationKey, type ValueLocation } from '@meadow/model'
import fc from 'fast-check'
import { rechunk } from './make-body.ts'
import { addGeometry, writeBimDocument } from './write-bodies.ts'

const ids = fc.oneof(fc.string({ minLength: 1 }), fc.uuid(), fc.constant('__proto__'))
const values: fc.Arbitrary<DataValue | null> = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ type: 'number' as const, value })),
  fc.string({ unit: 'binary' }).map((value) => ({ type: 'string' as const, value })),
  fc.constant({ type: 'point' as const, value: [0, 1, 2] as [number, number, number] }),
  fc.constant({ type: 'brep' as const, value: { description: '{"]\\', boundingBox: null } }),
)
const paths = fc.uniqueArray(
  fc.nat(99).map((n) => `{0;${n}}`),
  { maxLength: 4 },
)
const trees: fc.Arbitrary<DataTree> = paths.chain((list) =>
  fc.record({
    branches: fc.tuple(
      ...list.map((path) =>
        fc.record({ path: fc.constant(path), values: fc.array(values, { maxLength: 5 }) }),
      ),
    ),
  }),
)
/** An object in which `__proto__` is an ordinary key. */
const records = <T>(of: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(fc.tuple(ids, of), { selector: ([id]) => id, maxLength: 4 })
    .map((members) => Object.fromEntries(members.filter(([id]) => id !== 'solutionId')))

const solutions: fc.Arbitrary<Solution> = fc.record({
  data: records(records(trees)).map((nodes) => {
    const data = Object.create(null)
    data.solutionId = 'sol_1'
    for (const [id, ports] of Object.entries(nodes)) data[id] = ports
    return data
  }),
  includesGeometry: fc.constant(false),
  solvedAt: fc.constant('2026-01-01T00:00:00.000Z'),
  durationMs: fc.nat(),
  messages: fc.constant([]),
})

function* listPositions({ data }: Solution): Generator<ValueLocation & { value: DataValue }> {
  for (const [nodeInstanceId, ports] of Object.entries(data)) {
    if (nodeInstanceId === 'solutionId') continue
    for (const [portInstanceId, { branches }] of Object.entries(ports)) {
      for (const { path, values } of branches) {
        for (const [index, value] of values.entries()) {
          if (value) yield { nodeInstanceId, portInstanceId, path, index, value }
        }
      }
    }
  }
}

const encoded = (n: number): EncodedGeometry => ({
  version: 10000,
  archive3dm: 70,
  opennurbs: -n,
  data: Buffer.alloc(n, n).toString('base64'),
})

/** Geometry for some of the values, and for a value that does not exist. */
const withGeometry = fc.tuple(solutions, fc.func(fc.boolean())).map(([solution, has]) => {
  const geometry = new Map<string, EncodedGeometry>([['["a","b","{0}",0]', encoded(1)]])
  let n = 0
  for (const { value: _, ...position } of listPositions(solution)) {
    if (has(position)) geometry.set(toLocationKey(position), encoded(++n))
  }
  return { solution, geometry }
})

const read = (parts: Iterable<Uint8Array | string>) =>
  JSON.parse(Buffer.concat([...rechunk(parts)]).toString('utf8'))

test('[C2, D23] given any solution and geometry, when the geometry is added, then each value has its own, and nothing else changes', () => {
  fc.assert(
    fc.property(withGeometry, ({ solution, geometry }) => {
      const body = Buffer.from(JSON.stringify(solution))
      const expected: Solution = JSON.parse(String(body))
      expected.includesGeometry = true
      for (const { value, ...position } of listPositions(expected)) {
        const own = geometry.get(toLocationKey(position))
        if (own) value.geometry = own
      }
      assert.deepEqual(read(addGeometry(body, geometry)), expected)
    }),
  )
})

test('[D26] given any solution and geometry, then a BIM document with an object for each value', () => {
  fc.assert(
    fc.property(withGeometry, ({ solution, geometry }) => {
      const facts = { documentId: 'doc_1' as DocumentId, solutionId: 'sol_1' as SolutionId, units: 'meters' }
      const body = Buffer.from(JSON.stringify(solution))
      const parts = writeBimDocument(body, facts, geometry, (node, port) => `${node}/${port}`)
      const { objects, ...rest }: BimDocument = read(parts)
      assert.deepEqual(rest, { format: 'bimz', version: 1, ...facts })
      const expected = [...listPositions(JSON.parse(String(body)))].map(({ value, ...position }) => {
        const id = createPlatformId('doc_1', position)
        const { nodeInstanceId, portInstanceId, path, index } = position
        const name = `${nodeInstanceId}/${portInstanceId} ${path}[${index}]`.trimStart()
        return [
          id,
          { id, name, ...value, geometry: geometry.get(toLocationKey(position)) ?? null, ...position },
        ]
      })
      assert.deepEqual(objects, Object.fromEntries(expected))
    }),
  )
})

test('given parts of any lengths, when they are rechunked, then the same bytes, and no chunk is large', () => {
  const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(200_000)))
  fc.assert(
    fc.property(lengths, fc.boolean(), (list, asText) => {
      const parts = list.map((length, i) =>
        asText ? String(i % 10).repeat(length) : Buffer.alloc(length, i),
      )
      const pieces = [...rechunk(parts)]
      const whole = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
      assert.ok(Buffer.concat(pieces).equals(whole))
      assert.ok(pieces.every(({ length }) => length > 0 && length <= 65_536))
      // Small parts are joined: the next part would not have fitted into any chunk but the last.
      const large = list.filter((length) => length > 65_536).length
      assert.ok(pieces.length <= 2 * (whole.length / 65_536) + 2 * large + 1)
    }),
  )
})
