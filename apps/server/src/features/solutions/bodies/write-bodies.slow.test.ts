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

/** The body in chunks of these lengths, again and again. */
async function* inChunks(body: Buffer, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < body.length; i++) {
    const length = lengths[i % lengths.length]!
    yield body.subarray(at, at + length)
    at += length
  }
}

const chunkLengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5000 })), {
  minLength: 1,
})

const MAX_CHUNK_BYTES = 65_536

async function read(chunks: AsyncIterable<Uint8Array>) {
  const list = await Array.fromAsync(chunks)
  assert.ok(list.every(({ length }) => length > 0 && length <= MAX_CHUNK_BYTES))
  return JSON.parse(Buffer.concat(list).toString('utf8'))
}

test('[C2, D23] given any solution and geometry, when the geometry is added, then each value has its own, and nothing else changes', async () => {
  await fc.assert(
    fc.asyncProperty(withGeometry, chunkLengths, async ({ solution, geometry }, lengths) => {
      const body = Buffer.from(JSON.stringify(solution))
      const expected: Solution = JSON.parse(String(body))
      expected.includesGeometry = true
      for (const { value, ...position } of listPositions(expected)) {
        const own = geometry.get(toLocationKey(position))
        if (own) value.geometry = own
      }
      assert.deepEqual(await read(addGeometry(inChunks(body, lengths), geometry)), expected)
    }),
  )
})

test('[D26] given any solution and geometry, then a BIM document with an object for each value', async () => {
  await fc.assert(
    fc.asyncProperty(withGeometry, chunkLengths, async ({ solution, geometry }, lengths) => {
      const facts = { documentId: 'doc_1' as DocumentId, solutionId: 'sol_1' as SolutionId, units: 'meters' }
      const body = Buffer.from(JSON.stringify(solution))
      const namePort = (node: string, port: string) => `${node}/${port}`
      const written = writeBimDocument(inChunks(body, lengths), facts, geometry, namePort)
      const { objects, ...rest }: BimDocument = await read(written)
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

test('[D26] given a body that is cut anywhere, then it is an error', async () => {
  const solution = {
    data: { solutionId: 's', n: { p: { branches: [{ path: '{0}', values: [null] }] } } },
    durationMs: 12,
  }
  const body = Buffer.from(JSON.stringify(solution))
  const facts = { documentId: 'doc_1' as DocumentId, solutionId: 'sol_1' as SolutionId, units: 'meters' }
  for (let length = 0; length < body.length; length++) {
    for (const cut of [[length || 1], [1]])
      await assert.rejects(
        read(writeBimDocument(inChunks(body.subarray(0, length), cut), facts, new Map(), () => '')),
        SyntaxError,
      )
  }
})

test('given long values, then they are split, and searched for their end in a time that grows with their length alone', async () => {
  const long = { type: 'string', value: 'ä'.repeat(4_000_000) }
  const values = [long, { type: 'number', value: 1 }, long]
  const body = Buffer.from(
    JSON.stringify({ data: { solutionId: 's', n: { p: { branches: [{ path: '{0}', values }] } } } }),
  )
  const facts = { documentId: 'doc_1' as DocumentId, solutionId: 'sol_1' as SolutionId, units: 'meters' }
  // In chunks of 100 bytes, a search from the beginning for each of them would look at a million million bytes.
  const written = await read(writeBimDocument(inChunks(body, [100]), facts, new Map(), () => ''))
  assert.deepEqual(
    Object.values<{ value: unknown }>(written.objects).map(({ value }) => value),
    values.map(({ value }) => value),
  )
})
