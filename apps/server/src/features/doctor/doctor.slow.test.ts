import assert from 'node:assert/strict'
import { chmod, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createDocument } from '../../library/documents.ts'
import { openServiceBlobs } from '../../platform/cluster/blob-stores.ts'
import { findTooManyConnections } from '../../platform/cluster/connections.ts'
import { answerProbes } from '../../platform/cluster/probes.ts'
import { registerProcess } from '../../platform/cluster/processes.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, FEATURE_DATABASES } from '../../testing/databases.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { startServer } from '../../testing/start-server.ts'
import { examine, type Finding } from './doctor.ts'
import { verifyBlobs } from './verify-blobs.ts'

const POSTGRES = DATABASES[1]!

const faultsOf = (findings: readonly Finding[]) => findings.filter(({ state }) => state === 'fault')

async function listen(t: TestContext, body: string): Promise<string> {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1')
  atEnd(t, () => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

for (const kind of FEATURE_DATABASES) {
  describe(kind.name, kind.options, () => {
    test('[DR-2, DR-3, DR-4] given processes, of which one sees other files, one does not answer, and one has another version, then each is named', async (t) => {
      const database = await kind.open(t)
      const { blobsLocation, blobs: theirs } = await openTestBlobs(t)
      const store = await openServiceBlobs(database, blobsLocation as never)
      const other = (await openTestBlobs(t)).blobs
      const start = async (address: string, blobs?: typeof theirs) => {
        const facts = { kind: 'serve', connections: 1, blobStore: store.id, address } as const
        const { id, close } = await registerProcess(database, facts)
        atEnd(t, close)
        if (blobs) atEnd(t, answerProbes(database, { id, blobs }))
        return id
      }
      await start('right', theirs)
      const parts = { database, store, folders: [], baseUrl: undefined }
      assert.deepEqual(faultsOf(await examine(parts)), [])
      const saysOf = (findings: Parameters<typeof faultsOf>[0]) =>
        faultsOf(findings).map(({ says }) => says.replace(/^serve \d+ on ".*?" /, ''))
      await start('wrong', other)
      assert.deepEqual(saysOf(await examine(parts)), ['does not see a file that was written here just now.'])
      const silent = await start('silent')
      await database.transaction((write) =>
        write.updateTable('process').set({ version: '0.0.1' }).where('id', '=', silent).execute(),
      )
      // On a busy machine the others may not answer in such a short time either.
      const findings = await examine({ ...parts, answerMs: 1500 })
      assert.ok(saysOf(findings).includes('does not answer.'))
      assert.deepEqual(
        findings.filter(({ state }) => state === 'warning').map(({ what }) => what),
        ['versions'],
      )
      assert.ok(findings.every(({ state, remedy }) => state === 'ok' || remedy !== undefined))
      assert.deepEqual(await database.read.selectFrom('probe').selectAll().execute(), [])
      assert.deepEqual(await theirs.listMetadata('probe-'), [])
    })
  })
}

test(
  '[DR-5] given more connections than PostgreSQL has for all processes, then a warning says how many each may have; behind a pooler there is no such limit',
  POSTGRES.options,
  async (t) => {
    const database = await POSTGRES.open(t)
    const limit = await database.readConnectionLimit()
    assert.ok(limit! > 10)
    assert.equal(await findTooManyConnections(database), undefined)
    for (const connections of [limit! - 10, 10]) {
      atEnd(t, (await registerProcess(database, { kind: 'work', connections })).close)
    }
    const { blobsLocation } = await openTestBlobs(t)
    const store = await openServiceBlobs(database, blobsLocation as never)
    const findings = await examine({ database, store, folders: [], baseUrl: undefined, answerMs: 1 })
    const { state, says } = findings.find(({ what }) => what === 'connections')!
    assert.equal(state, 'warning')
    assert.ok(
      says.startsWith(
        `2 processes may open ${limit! + 4} connections to PostgreSQL, which has ${limit} for them`,
      ),
      says,
    )
    assert.equal(
      await findTooManyConnections({ ...database, readConnectionLimit: async () => undefined }),
      undefined,
    )
  },
)

test('[DR-5] given an upload that a killed process began long ago, then a warning counts it', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { blobsLocation, folder } = await openTestBlobs(t)
  const store = await openServiceBlobs(database, blobsLocation as never)
  const find = async () => {
    const findings = await examine({ database, store, folders: [], baseUrl: undefined })
    return findings.find(({ what }) => what === 'unfinished uploads')!
  }
  const path = join(folder, 'unfinished', 'of-a-crash')
  await writeFile(path, 'half')
  assert.equal((await find()).state, 'ok')
  await utimes(path, 0, 0)
  const { state, says } = await find()
  assert.deepEqual([state, says.slice(0, 7)], ['warning', '1 began'])
})

test('[DR-2] given a base URL that leads elsewhere or nowhere, or the store of another service, then that is a fault with a remedy', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { blobsLocation, blobs } = await openTestBlobs(t)
  const store = await openServiceBlobs(database, blobsLocation as never)
  const parts = { database, store, folders: [] }
  const right = await listen(t, '{"status":"ok"}')
  assert.deepEqual(faultsOf(await examine({ ...parts, baseUrl: right })), [])
  await blobs.writeMetadata('store', 'another')
  const faults = faultsOf(await examine({ ...parts, baseUrl: await listen(t, '<html>') }))
  assert.deepEqual(
    faults.map(({ what, says }) => `${what}: ${says}`),
    [
      'blobs: The file store is not the one that this service uses: its mark is missing or another one.',
      'base URL: Something else than Meadow answers at MEADOW_BASE_URL (status 200).',
    ],
  )
  const [, unreachable] = faultsOf(await examine({ ...parts, baseUrl: 'http://127.0.0.1:1' }))
  assert.match(unreachable!.says, /MEADOW_BASE_URL cannot be reached from here/)
})

test('[DR-1, DR-9] given a service with a missing and a damaged file, when it is verified, then both are named with what needs them; otherwise there is no fault', async (t) => {
  const { service, database, fixtures, team, dataDir } = await startServer(t, {
    MEADOW_SOLVE_WORKERS: '0',
  })
  const { run, json } = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const folder = (await fixtures.root(team)).key
  const create = async (text: string) => {
    const { digest, size } = await service.blobs.put(Buffer.from(text))
    const properties = { name: 'Tower', createdAt: 0, updatedAt: 0, folder }
    const { id } = await changeTeam(database, team.key, (change) =>
      createDocument(change, { ...properties, content: { kind: 'blob', digest, size } }),
    )
    return { id, digest, path: join(dataDir, 'blobs', digest.slice(0, 2), digest) }
  }
  const [good, missing, damaged] = [await create('good'), await create('missing'), await create('damaged')]
  await create('good')
  const { findings, verified, faults } = await json('doctor', '--verify', '--rate', '10')
  assert.deepEqual([faults, verified], [0, { blobs: 3, bytes: 18, faults: [] }])
  assert.ok(findings.some(({ says }: Finding) => /sees the same files/.test(says)))
  await rm(missing.path)
  await writeFile(damaged.path, 'dam-ged')
  const { code, stdout } = await run('doctor', '--verify')
  assert.equal(code, 1)
  for (const [{ digest, id }, fault] of [
    [missing, 'missing'],
    [damaged, 'damaged'],
  ] as const)
    assert.ok(stdout.includes(`The file ${digest} is ${fault}: the content of a document (${id}).`), stdout)
  assert.ok(!stdout.includes(good.digest))
  // A row that is gone when its blob is missing is no fault.
  const gone: Pick<typeof service.blobs, 'open'> = {
    async open() {
      await database.transaction((write) => write.deleteFrom('document_snapshot').execute())
      return undefined
    },
  }
  assert.deepEqual((await verifyBlobs(database, gone)).faults, [])
})

test('[DR-6] given exposing settings, a server that got a forwarding header, and a folder that others can read, then each is a warning', async (t) => {
  const { json, dataDir } = await createCommandLine(t)
  const server = await startServer(t, { MEADOW_DATA_DIR: dataDir, MEADOW_SOLVE_WORKERS: '0' })
  const warnings = async (ask = json): Promise<Finding[]> => {
    const { findings } = await ask('doctor')
    return findings.filter(({ state }: Finding) => state === 'warning')
  }
  assert.deepEqual(await warnings(), [])
  await server.request('/docs', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const folder = join(dataDir, 'blobs')
  await chmod(folder, 0o755)
  const [noticed, ...others] = await warnings()
  assert.match(noticed!.says, /^serve .+ has noticed: A request from 127\.0\.0\.1 carries X-Forwarded-For/)
  // The command closes the data folder before it looks.
  assert.deepEqual(others, [])
  const elsewhere = await createFolder(t)
  await chmod(elsewhere, 0o755)
  const exposed = await createCommandLine(t, {
    MEADOW_BLOBS: pathToFileURL(elsewhere).href,
    MEADOW_HOST: '0.0.0.0',
  })
  await exposed.json('team', 'create', 'Acme')
  assert.deepEqual(
    (await warnings(exposed.json)).map(({ what }) => what),
    ['base URL', 'metrics', 'permissions'],
  )
})

test('[DR-1] given a database that cannot be reached, then that is the finding, without its password', async (t) => {
  const { run } = await createCommandLine(t, { DATABASE_URL: 'postgres://ann:hush-hush@127.0.0.1:1/meadow' })
  const { code, stdout, stderr } = await run('doctor', '--json')
  const { findings, faults } = JSON.parse(stdout)
  assert.deepEqual([code, faults, findings[0].what, findings[0].state], [1, 1, 'database', 'fault'])
  assert.ok(!`${stdout}${stderr}`.includes('hush'))
})

test('[DR-7] given rules about roles, when one names a team that does not exist or is deleted, then it is a warning that says which rule; rules of teams that exist are fine', async (t) => {
  const plain = await createCommandLine(t)
  const [acme, gone] = [
    await plain.json('team', 'create', 'Acme'),
    await plain.json('team', 'create', 'Gone'),
  ]
  await plain.json('team', 'delete', gone.id)
  const find = async (rules: string) => {
    const { run } = await createCommandLine(t, {
      MEADOW_DATA_DIR: plain.dataDir,
      MEADOW_BASE_URL: 'http://127.0.0.1:1',
      MEADOW_OIDC_ISSUER: 'https://login.example.org',
      MEADOW_OIDC_CLIENT_ID: 'meadow',
      MEADOW_OIDC_ROLES: rules,
    })
    const { stdout } = await run('doctor', '--json')
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    return findings.filter(({ what }) => what === 'roles from the provider')
  }
  const fine = await find(`a:${acme.id}:member`)
  assert.deepEqual(
    fine.map(({ state }) => state),
    ['ok'],
  )
  const missing = `team_${'1'.repeat(16)}`
  const idle = await find(`a:${acme.id}:member, b:${missing}:owner, @example.org:${gone.id}:viewer`)
  assert.deepEqual(
    idle.map(({ state, says }) => `${state}: ${says}`),
    [
      `warning: Rule 2 of MEADOW_OIDC_ROLES gives a role in the team ${missing}, which does not exist: it gives nothing.`,
      `warning: Rule 3 of MEADOW_OIDC_ROLES gives a role in the team ${gone.id}, whose deletion was asked for: it gives nothing.`,
    ],
  )
})
