import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbers, tubes } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

const QUERIES = ['', '?includeGeometry=true', '?format=bimz', '?format=no']

test('[C1, C3, D31, D32] given documents in every state, when everything is read, then no solve is requested and no credit spent', async (t) => {
  const { document, queue, run, solve, fail, get, database } = await startSolutions(t)
  const states = {
    never: await document(numbers()),
    queued: await document(numbers()),
    running: await document(numbers()),
    failed: await document(numbers()),
    solved: await document(tubes()),
    solvedThenFailed: await document(numbers()),
  }
  await run(states.running)
  await fail(states.failed, 'For a test.')
  await solve(states.solved)
  await solve(states.solvedThenFailed)
  await fail(states.solvedThenFailed, 'For a test.')
  await queue(states.queued)

  /** All solves and teams, without the columns of derived bodies. */
  async function look() {
    const solves = await database.read.selectFrom('solve').orderBy('id').selectAll().execute()
    const teams = await database.read.selectFrom('team').orderBy('id').selectAll().execute()
    const made = {
      geometry_gzip: 0,
      geometry_zstd: 0,
      geometry_bytes: 0,
      bimz_gzip: 0,
      bimz_zstd: 0,
      bimz_bytes: 0,
    }
    return { solves: solves.map((row) => ({ ...row, ...made })), teams }
  }

  const paths = Object.values(states).flatMap((id) => [
    `/documents/${id}`,
    ...QUERIES.map((query) => `/documents/${id}/solution${query}`),
    ...['?format=.gh', '?format=.3dm', '?format=.3dm&modelerVersion=7', ''].map(
      (query) => `/documents/${id}/export${query}`,
    ),
  ])
  const before = await look()
  const seen = new Set<number>()
  for (const path of ['/team', '/folders/root', '/documents', '/documents?q=t', ...paths]) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      seen.add((await get(path, { method })).status)
    }
  }
  const waiting = { headers: { prefer: 'wait=1' } }
  seen.add((await get(`/documents/${states.never}/solution`, waiting)).status)
  seen.add((await get(`/documents/${states.running}/solution`, waiting)).status)
  for (const status of [200, 202, 400, 405, 409, 502]) assert.ok(seen.has(status), String(status))
  assert.deepEqual(await look(), before)
})
