import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openDatabase } from '../../platform/database/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { startFaultProxy } from '../../testing/fault-proxy.ts'
import { createCommandLine, noLauncher, type Running } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'
import { createSolveStore } from './solves.store.ts'
import { givenDocuments, readSolves, readTeam } from './testing/given-solves.ts'
import { longList, points } from './testing/graphs.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!
const CREDITS = 1000

/** A server without solvers and a solver process, whose connections to PostgreSQL can be broken. */
async function startProcesses(t: TestContext) {
  const { databaseUrl } = await postgres.createLocation(t)
  const proxy = await startFaultProxy(t, databaseUrl!)
  const { start } = await createCommandLine(t, {
    DATABASE_URL: proxy.url,
    MEADOW_PORT: '0',
    MEADOW_SOLVE_WORKERS: '0',
    // A lease whose COMMIT was cut must expire before another solver can take the solve.
    MEADOW_SOLVE_LEASE_SECONDS: '10',
    MEADOW_STOP_NOTICE_SECONDS: '0',
  })
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  atEnd(t, () => database.close())
  const processes = [start('serve', '--json'), start('work', '--workers', '1')]
  const { address } = JSON.parse(await processes[0]!.firstLine())
  const statusOf = async (path: string) => (await fetch(address + path)).status
  return { database, proxy, processes, statusOf }
}

const untilSolves = (
  what: string,
  database: Parameters<typeof readSolves>[0],
  predicate: (states: string[]) => boolean,
) =>
  until(what, async () => {
    const solves = await readSolves(database)
    return predicate(solves.map(({ state }) => state)) && solves
  })

/** Fails when the process has ended before. */
async function stop(process: Running): Promise<string> {
  process.kill('SIGTERM')
  const { code, stderr } = await process.finished
  assert.equal(code, 0, stderr)
  return stderr
}

describe('processes whose database becomes unavailable', {
  skip: postgres.options.skip || noLauncher,
}, () => {
  test('[DB-1, DB-2] given a working server and solver, when their connections are cut, and PostgreSQL refuses new ones for a while, then both recover, and every solve is completed once', async (t) => {
    const { database, proxy, processes, statusOf } = await startProcesses(t)
    const contents = [longList(50_000, 20), points(), longList(50_000, 20), points()]
    const { team, documents } = await givenDocuments(database, CREDITS, contents)
    await createSolveStore(database).request(
      team.key,
      documents.map(({ key }) => key),
    )
    const untilReady = (status: number) =>
      until(`/readyz is ${status}`, async () => (await statusOf('/readyz')) === status)
    await untilReady(200)
    await untilSolves('a solve runs', database, (states) => states.some((state) => state !== 'queued'))
    proxy.cut()
    await untilReady(200)
    proxy.refuse()
    await untilReady(503)
    assert.equal(await statusOf('/healthz'), 200)
    await proxy.resume()
    await untilReady(200)
    proxy.cut()
    const solves = await untilSolves('all solves have ended', database, (states) =>
      states.every((state) => state === 'solved' || state === 'failed'),
    )
    for (const { state, reason } of solves) assert.equal(state, 'solved', reason ?? '')
    const charged = solves.reduce((sum, { credit_tenths }) => sum + credit_tenths!, 0)
    assert.equal((await readTeam(database, team.key)).tenths, 10 * CREDITS - charged)
    for (const process of processes) assert.doesNotMatch(await stop(process), /"stack"|node:internal|\n +at /)
  })
})
