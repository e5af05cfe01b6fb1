import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { EncodedGeometry, Solution } from '@meadow/contract'
import { tubes } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

/** Every value of a solution. */
const listValues = ({ data: { solutionId: _, ...nodes } }: Solution) =>
  Object.values(nodes).flatMap((ports) =>
    Object.values(ports).flatMap(({ branches }) => branches.flatMap(({ values }) => values)),
  )

const listGeometry = (solution: Solution): EncodedGeometry[] =>
  listValues(solution).flatMap((value) => value?.geometry ?? [])

const GEOMETRIC = new Set(['point', 'line', 'brep'])

describe('includeGeometry', () => {
  test('[C2, D23] given true, then every geometric value has an object that rhino3dm decodes, and all else is the same', async (t) => {
    const { document, solve, get, library } = await startSolutions(t)
    const id = await document(tubes(5))
    await solve(id)
    const plain: Solution = (await get(`/documents/${id}/solution`)).json
    const whole: Solution = (await get(`/documents/${id}/solution?includeGeometry=true`)).json
    assert.equal(whole.includesGeometry, true)
    for (const value of listValues(whole)) {
      assert.equal(value?.geometry !== undefined, GEOMETRIC.has(value!.type), value?.type)
    }
    const geometry = listGeometry(whole)
    assert.equal(geometry.length, 4 * 5)
    // The bounding box that rhino3dm computes for the decoded object.
    const boxes = await library.measure(geometry)
    assert.deepEqual(
      boxes[5],
      [
        [0, 0, 0],
        [0, 0, 3],
      ],
      'the first line',
    )
    assert.ok(boxes.every((box) => box !== null))
    for (const value of listValues(whole)) if (value) delete value.geometry
    assert.deepEqual({ ...whole, includesGeometry: false }, plain)
  })

  test('[C4, D7] given anything but the literal true, then no geometry; of several the first one counts', async (t) => {
    const { document, solve, get } = await startSolutions(t)
    const id = await document(tubes(1))
    await solve(id)
    const includes = async (query: string) =>
      (await get(`/documents/${id}/solution?${query}`)).json.includesGeometry
    for (const query of [
      '',
      'includeGeometry',
      'includeGeometry=',
      'includeGeometry=TRUE',
      'includeGeometry=1',
    ]) {
      assert.equal(await includes(query), false, query)
    }
    assert.equal(await includes('includeGeometry=false&includeGeometry=true'), false)
    assert.equal(await includes('includeGeometry=true&includeGeometry=false'), true)
    assert.equal(await includes('format=json&includeGeometry=true'), true)
  })

  test('[C2] given geometry that was requested once, then it is stored: the model file is not read again', async (t) => {
    const { document, solve, get, readRow, blobPath } = await startSolutions(t)
    const id = await document(tubes())
    const solution = await solve(id)
    const path = `/documents/${id}/solution?includeGeometry=true`
    const first = await get(path)
    const row = await readRow(solution)
    assert.equal(row.geometry_bytes, Buffer.byteLength(first.text))
    await rm(blobPath(row.model!))
    const again = await get(path)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('etag'), first.headers.get('etag'))
  })
})

describe('a model file that cannot be read', () => {
  const damages: Record<string, (path: string) => Promise<unknown>> = {
    missing: (path) => rm(path),
    empty: (path) => writeFile(path, ''),
    truncated: async (path) => {
      const bytes = await readFile(path)
      await writeFile(path, bytes.subarray(0, bytes.length >> 1))
    },
    'one bit wrong': async (path) => {
      const bytes = await readFile(path)
      bytes[bytes.length >> 1]! ^= 1
      await writeFile(path, bytes)
    },
    garbage: async (path) => {
      const { length } = await readFile(path)
      await writeFile(path, randomBytes(length))
    },
  }
  for (const [damage, harm] of Object.entries(damages)) {
    test(`[C4] given a model file that is ${damage}, when geometry is requested, then 200 with the values`, async (t) => {
      const { document, solve, get, readRow, blobPath } = await startSolutions(t)
      const id = await document(tubes())
      const row = await readRow(await solve(id))
      await harm(blobPath(row.model!))
      const plain = await get(`/documents/${id}/solution`)
      const withGeometry = await get(`/documents/${id}/solution?includeGeometry=true`)
      assert.equal(withGeometry.status, 200)
      assert.equal(withGeometry.json.includesGeometry, false)
      assert.equal(withGeometry.text, plain.text)

      const bimz = await get(`/documents/${id}/solution?format=bimz`)
      assert.equal(bimz.status, 200)
      const objects = Object.values<{ geometry: unknown }>(bimz.json.objects)
      assert.equal(objects.length, listValues(plain.json).length)
      assert.ok(objects.every(({ geometry }) => geometry === null))
      assert.equal((await get(`/documents/${id}/solution?format=bimz`)).text, bimz.text)
      // The failure is not stored: the file may be restored from a backup.
      const { geometry_gzip, bimz_gzip } = await readRow(row.public_id)
      assert.deepEqual({ geometry_gzip, bimz_gzip }, { geometry_gzip: null, bimz_gzip: null })
    })
  }
})
