import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { BimDocument, BimObject, Solution } from '@meadow/contract'
import { createPlatformId } from '@meadow/model'
import { numbers, tubes } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

test('[C2, D26] given a solved document, then an object for each value, with its geometry, node, port, branch and index', async (t) => {
  const { document, solve, get, library } = await startSolutions(t)
  const graph = tubes(4)
  const id = await document(graph)
  const solutionId = await solve(id)
  const { units, objects, ...facts }: BimDocument = (await get(`/documents/${id}/solution?format=bimz`)).json
  assert.deepEqual(facts, {
    format: 'bimz',
    version: 1,
    documentId: id,
    solutionId,
    completeness: {
      isComplete: true,
      valuesComplete: true,
      nodes: 8,
      solved: 8,
      failed: 0,
      unsupported: 0,
      unknown: 0,
      unsupportedWithoutOutputs: 0,
    },
    solver: { name: 'meadow', version: '0.1.0' },
  })
  assert.equal(units, 'none')
  const whole: Solution = (await get(`/documents/${id}/solution?includeGeometry=true`)).json
  const { solutionId: _, ...nodes } = whole.data
  const expected: Record<string, BimObject> = {}
  for (const [nodeInstanceId, ports] of Object.entries(nodes)) {
    for (const [portInstanceId, { branches }] of Object.entries(ports)) {
      for (const { path, values } of branches) {
        for (const [index, value] of values.entries()) {
          const position = { nodeInstanceId, portInstanceId, path, index }
          const platformId = createPlatformId(id, position)
          const { name: port } = graph.nodes[nodeInstanceId]!.ports[portInstanceId]!
          const name = `${port} ${path}[${index}]`
          expected[platformId] = {
            id: platformId,
            name,
            ...value!,
            geometry: value!.geometry ?? null,
            ...position,
          }
        }
      }
    }
  }
  assert.deepEqual(objects, expected)
  const geometry = Object.values(objects).flatMap((object) => object.geometry ?? [])
  assert.equal(geometry.length, 4 * 4)
  assert.ok((await library.measure(geometry)).every((box) => box !== null))
})

test('[D26] given a document that is solved again, then its values keep their ids', async (t) => {
  const { document, solve, get } = await startSolutions(t)
  const id = await document(tubes(2))
  const idsOf = async () => Object.keys((await get(`/documents/${id}/solution?format=bimz`)).json.objects)
  await solve(id)
  const before = await idsOf()
  await solve(id)
  assert.deepEqual(await idsOf(), before)
})

test('[D26] given a solve without geometry, then every object has null for it', async (t) => {
  const { document, solve, get } = await startSolutions(t)
  const id = await document(numbers(3))
  await solve(id)
  const { json } = await get(`/documents/${id}/solution?format=bimz`)
  const objects = Object.values<BimObject>(json.objects)
  assert.equal(objects.length, 6)
  assert.ok(objects.every(({ geometry }) => geometry === null))
})

/** A solution with so many numbers, as the solver writes it. */
function* manyNumbers(count: number): Generator<Buffer> {
  yield Buffer.from('{"data":{"solutionId":"sol_1","n1":{"p1":{"branches":[{"path":"{0}","values":[')
  for (let i = 0; i < count; i++)
    yield Buffer.from(`${i === 0 ? '' : ','}{"type":"number","value":${Math.sin(i)}}`)
  yield Buffer.from(']}]}}},"includesGeometry":false,"messages":[]}')
}

test('[C2, D10, D26] given a large solution that was never read as bimz, then concurrent readers in any encoding get the same bytes, and so do later ones', async (t) => {
  const { document, run, leaveBody, getRaw, readRow } = await startSolutions(t, { isAlone: true })
  const count = 40_000
  const id = await document(numbers(1))
  const solution = await leaveBody(await run(id), manyNumbers(count))
  const path = `/documents/${id}/solution?format=bimz`
  const read = async (encoding: string) => {
    const { status, headers, bytes } = await getRaw(path, { 'accept-encoding': encoding })
    assert.equal(status, 200)
    return { headers, plain: headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes }
  }
  const first = await Promise.all(['gzip', 'identity', 'gzip', 'br'].map(read))
  const { plain } = first[0]!
  for (const other of first) assert.ok(other.plain.equals(plain))
  assert.equal(Object.keys(JSON.parse(String(plain)).objects).length, count)
  assert.ok((await readRow(solution)).bimz_gzip)
  for (const [i, encoding] of ['gzip', 'identity'].entries()) {
    const later = await read(encoding)
    assert.ok(later.plain.equals(plain))
    assert.equal(later.headers.etag, first[i]!.headers.etag)
    assert.ok(Number(later.headers['content-length']) > 0)
  }
})
