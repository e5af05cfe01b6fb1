import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { DocumentId, Solution } from '@meadow/contract'
import { writeDefinition } from '@meadow/grasshopper'
import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import { openDatabase } from '../../../platform/database/open-database.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import { addCredits, listTeams, setSolver } from '../../../team/teams.ts'
import { atEnd } from '../../../testing/at-end.ts'
import { createCapturedLog } from '../../../testing/captured-log.ts'
import { createFolder, LONG_AGO, putFile } from '../../../testing/definition-folder.ts'
import { createCommandLine, noLauncher } from '../../../testing/meadow-server.ts'
import { startServer } from '../../../testing/start-server.ts'
import { startComputeServer } from '../testing/compute-server.ts'
import { CSHARP, double, find, numbers, PLUGIN, read, scripted, toPlugin } from '../testing/compute-solves.ts'
import { readSolves } from '../testing/given-solves.ts'

const KEY = 'open-sesame'

/** A service that solves, with a document with a script. */
async function startSolvingServer(t: Parameters<typeof startServer>[0], env: Record<string, string>) {
  const { log, lines } = createCapturedLog()
  const server = await startServer(t, { MEADOW_SOLVE_WORKERS: '1', MEADOW_SOLVE_SECONDS: '20', ...env }, log)
  const { database, team, fixtures, service, get } = server
  await changeTeam(database, team.key, (change) => addCredits(change, 100))
  const content = scripted()
  const id: DocumentId = await fixtures.document(team, { content })

  async function solve() {
    const [document] = await service.solving.store.findDocuments([id])
    await service.solving.request(team.key, [document!.key])
    return get(`/documents/${id}/solution`, { headers: { prefer: 'wait=30' } })
  }
  const use = (solver: 'meadow' | 'compute') =>
    changeTeam(database, team.key, (change) => setSolver(change, solver))
  return { ...server, lines, content, solve, use }
}

describe('teams that use Rhino.Compute', () => {
  test('[CMP-1, CMP-11] given a team, when it is switched over to Rhino.Compute and back, then its documents are solved with it from the next solve on, and then no more', async (t) => {
    const compute = await startComputeServer(t, { scripts: { [CSHARP]: double }, key: KEY })
    const env = { MEADOW_COMPUTE_URL: compute.url, MEADOW_COMPUTE_KEY: KEY, MEADOW_COMPUTE_UNITS: 'Meters' }
    const { content, solve, use, request } = await startSolvingServer(t, env)

    const alone = await solve()
    assert.equal(alone.status, 200)
    assert.equal(alone.json.completeness.isComplete, false)
    assert.equal(compute.requests.length, 0)

    await use('compute')
    const { status, json } = await solve()
    assert.equal(status, 200)
    assert.equal(json.completeness.isComplete, true)
    assert.equal(json.solver.name, 'meadow')
    const sum = find(content, 'Sum')
    assert.deepEqual(read(json, sum), numbers(1, 3, 5))
    assert.equal(json.solvers[sum.instanceId], 'rhino.compute')
    assert.equal(compute.requests[0]!.body.modelunits, 'Meters')

    const { text } = await request('/metrics')
    assert.match(text, /^meadow_compute_requests_total\{outcome="answered"\} 2$/m)
    assert.match(text, /^meadow_compute_sent_bytes_total [1-9]/m)

    await use('meadow')
    assert.equal((await solve()).json.solvers, undefined)
    assert.equal(compute.requests.length, 1)
  })

  test('[CMP-15] given a Rhino.Compute server that fails, when a document is solved, then its solution is a 502 with the reason, the time is charged, and the next solve is asked for again', async (t) => {
    const compute = await startComputeServer(t, { scripts: { [CSHARP]: double }, key: KEY })
    const { solve, use, database, team, lines } = await startSolvingServer(t, {
      MEADOW_COMPUTE_URL: compute.url,
      MEADOW_COMPUTE_KEY: KEY,
    })
    await use('compute')
    compute.misbehaviours.push({ kind: 'lose', when: 'within' })
    const failed = await solve()
    assert.equal(failed.status, 502)
    assert.match(failed.json.error, /The connection to the Rhino\.Compute server was lost/)
    assert.doesNotMatch(failed.text + JSON.stringify(lines), /sesame/)
    const [answered] = lines.filter(({ msg }) => msg === 'Rhino.Compute did not answer')
    assert.deepEqual(Object.keys(answered ?? {}).sort(), [
      'document',
      'durationMs',
      'level',
      'msg',
      'outcome',
      'reason',
      'sentBytes',
      'solution',
      'time',
    ])
    const credits = async () =>
      (await listTeams(database.read)).find(({ id }) => id === team.id)!.creditTenths
    assert.ok((await credits()) < 1000)
    assert.equal((await solve()).status, 200)
  })

  test('[CMP-1] given a team that uses Rhino.Compute, when a process without a server solves, then Meadow solves alone, and the log says so', async (t) => {
    const { solve, use, lines } = await startSolvingServer(t, {})
    await use('compute')
    const { status, json } = await solve()
    assert.equal(status, 200)
    assert.deepEqual([json.completeness.unsupported, json.solvers], [1, undefined])
    assert.ok(lines.some(({ level, msg }) => level === 'warn' && /MEADOW_COMPUTE_URL is not set/.test(msg)))
  })

  test('given a key and an address without TLS, when the service starts, then the log warns', async (t) => {
    const { log, lines } = createCapturedLog()
    const env = { MEADOW_COMPUTE_URL: 'http://compute.example.org/', MEADOW_COMPUTE_KEY: KEY }
    await startServer(t, { ...env, MEADOW_SOLVE_WORKERS: '0' }, log)
    assert.ok(lines.some(({ msg }) => /MEADOW_COMPUTE_URL begins with http:/.test(msg)))
    assert.doesNotMatch(JSON.stringify(lines), /sesame/)
  })
})

test('[CMP-2, CMP-4] given a file with a plug-in, when it is imported and solved by a process of its own, then the plug-in has the values of the server', {
  skip: noLauncher,
}, async (t) => {
  const compute = await startComputeServer(t, { scripts: { [PLUGIN]: double }, key: KEY })
  const keyFile = join(await createFolder(t), 'key')
  await writeFile(keyFile, `${KEY}\n`)
  const { json, start, dataDir } = await createCommandLine(t, {
    MEADOW_COMPUTE_URL: compute.url,
    MEADOW_COMPUTE_KEY_FILE: keyFile,
  })
  const { id: team } = await json('team', 'create', 'Acme', '--credits', '100')
  await json('team', 'solver', team, '--use', 'compute')
  start('work', '--workers', '1')

  const drawn = scripted()
  toPlugin(find(drawn, 'Doubled'))
  const folder = await createFolder(t)
  await putFile(folder, 'plug-in.gh', writeDefinition({ name: 'Plug-in', ...drawn }).bytes, LONG_AGO)
  const [{ documentId }] = (await json('import', folder, '--team', team)).files
  await json('solve', documentId, '--wait')

  const database = await openDatabase({ databaseUrl: undefined, dataDir })
  atEnd(t, () => database.close())
  const blobs = await openDiskBlobs(join(dataDir, 'blobs'))
  const { values_gzip: digest } = (await readSolves(database)).at(-1)!
  const solution: Solution = JSON.parse(gunzipSync((await blobs.read(digest!))!).toString())
  const sum = find(drawn, 'Sum')
  assert.deepEqual(read(solution, sum), numbers(1, 3, 5))
  assert.equal(solution.solvers?.[sum.instanceId], 'rhino.compute')
  assert.equal(compute.requests[0]!.key, KEY)
})
