import assert from 'node:assert/strict'
import { test } from 'node:test'
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
    completeness: { isComplete: true, nodes: 8, solved: 8, failed: 0, unsupported: 0, unknown: 0 },
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

test('[C4, D26] given includeGeometry with bimz, then it changes nothing', async (t) => {
  const { document, solve, get } = await startSolutions(t)
  const id = await document(tubes(1))
  await solve(id)
  const plain = await get(`/documents/${id}/solution?format=bimz`)
  for (const value of ['true', 'false', 'maybe']) {
    const response = await get(`/documents/${id}/solution?format=bimz&includeGeometry=${value}`)
    assert.equal(response.text, plain.text)
    assert.equal(response.headers.get('etag'), plain.headers.get('etag'))
  }
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
