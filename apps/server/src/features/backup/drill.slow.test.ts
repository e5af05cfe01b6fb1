import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { DocumentId, FolderId } from '@meadow/contract'
import { setMember } from '../../access/members.ts'
import { hashPassword } from '../../access/password-hashes.ts'
import { setPassword } from '../../access/passwords.ts'
import { openSessionSecret, writeSessionCookie } from '../../access/session-cookie.ts'
import { createSessionStore } from '../../access/sessions.store.ts'
import { createUserStore } from '../../access/users.store.ts'
import { readConfig } from '../../config.ts'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { createDocument } from '../../library/documents.ts'
import { createLog } from '../../platform/log.ts'
import { startService } from '../../service.ts'
import { storeContent } from '../../team/content-blobs.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { createQuickFolder } from '../../testing/quick-folder.ts'
import { startExports } from '../exports/testing/start-exports.ts'
import { numbers, tubes } from '../solutions/testing/graphs.ts'

const PASSWORD = 'correct horse battery'
const passwordHash = hashPassword(PASSWORD)

/** A service with everything that its API and its web app can show. */
async function startFilled(t: TestContext, kind: TestDatabase) {
  const { databaseUrl } = kind.name === 'postgres' ? await kind.createLocation(t) : {}
  const env = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
  // What the server is on is what the environment says.
  const server = await startExports(t, DATABASES[0]!, undefined, env)
  const { database, team, fixtures, dataDir, solve, fail, run, imported, document, blobs } = server
  const home = await fixtures.folder(team, 'Höfe', 'North')
  const solved = await document(tubes(), 'Tubes')
  await solve(solved)
  await solve(solved)
  const definition = await imported('Tower.gh', createDefinitionFile({ text: 'Tower' }))
  await solve(definition)
  const large = { ...numbers(), padding: Array.from({ length: 30_000 }, (_, i) => `${i * 7919}`) }
  const content = await storeContent(blobs, large as never)
  assert.equal(content.kind, 'blob')
  const filed = await changeTeam(database, team.key, (change) =>
    createDocument(change, { folder: home.key, name: 'Ünder', createdAt: 1, updatedAt: 2, content }),
  )
  const failed = await document(numbers(), 'Failed')
  await fail(failed, 'The wires run in a circle.')
  await document(numbers(), 'Never solved')
  const running = await document(numbers(), 'Running')
  await run(running)
  const deleted = await document(numbers(), 'Deleted')

  const users = createUserStore(database)
  const ann = await users.createUser({ name: 'Ann', email: 'ann@example.org' })
  const hash = await passwordHash
  await database.transaction((write) => setPassword(write, ann.id, hash))
  const { key } = await database.read
    .selectFrom('document')
    .where('public_id', '=', deleted)
    .select('id as key')
    .executeTakeFirstOrThrow()
  await changeTeam(database, team.key, async (change) => {
    await setMember(change, ann.id, 'owner')
    await putDocumentIntoBin(change, key, ann.id)
  })
  const secret = await openSessionSecret(dataDir, undefined)
  const expiresAt = Date.now() + 3_600_000
  const session = await createSessionStore(database, secret).createSession({
    user: ann.id,
    expiresAt,
    userAgent: 'test',
  })
  const cookie = writeSessionCookie(session, { secret, isSecure: false })
  const link = (await server.exportOf(solved, 'format=.3dm&modelerVersion=7')).url
  await server.exportOf(definition, 'format=.gh')
  const documents = [solved, definition, filed.id, failed, running]
  return { ...server, documents, folders: [home.id], cookie, link: new URL(link).pathname, env }
}

/** The responses of the six endpoints, with their entity tags. */
async function readAll(
  address: string,
  { secret, documents, folders }: { secret: string; documents: DocumentId[]; folders: FolderId[] },
) {
  const paths = [
    '/team',
    ...['root', ...folders].flatMap((id) => [`/folders/${id}`, `/documents?folderId=${id}`]),
    '/documents',
    '/documents?q=%C3%BCn',
    ...documents.flatMap((id) =>
      ['', '/solution', '/solution?includeGeometry=true', '/solution?format=bimz', '/export?format=.gh'].map(
        (rest) => `/documents/${id}${rest}`,
      ),
    ),
    `/documents/${documents[0]}/export?format=.3dm&modelerVersion=7`,
  ]
  const responses: Record<string, { status: number; etag: string | null | undefined; body: unknown }> = {}
  for (const path of paths) {
    const response = await fetch(`${address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    const text = await response.text()
    const { url, expiresAt, ...rest } = JSON.parse(text).export ?? {}
    const isLink = url !== undefined
    const etag = isLink ? undefined : response.headers.get('etag')
    responses[path] = { status: response.status, etag, body: isLink ? rest : text }
  }
  return responses
}

async function download(address: string, path: string) {
  const response = await fetch(address + path)
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()).toString('base64') }
}

for (const kind of DATABASES) {
  describe(`a service on ${kind.name}`, kind.options, () => {
    test('[BAK-1] [BAK-5] [BAK-6] given a running service, when it is backed up, destroyed and restored on either database, then every response has its bytes and its tag, and tokens, links, sessions and passwords work', async (t) => {
      const service = await startFilled(t, kind)
      const target = await createFolder(t)
      const here = await createCommandLine(t, { MEADOW_DATA_DIR: service.dataDir, ...service.env })
      const [before, file] = [
        await readAll(service.address, service),
        await download(service.address, service.link),
      ]
      assert.equal(
        Object.values(before).filter(({ status, etag }) => status === 200 && etag?.length).length,
        18,
      )
      const saved = await here.json('backup', target)
      assert.equal(saved.faults, 0)
      assert.equal(saved.documents, 7)
      await service.service.stop()
      for (const name of await readdir(service.dataDir))
        await rm(join(service.dataDir, name), { recursive: true })

      for (const to of DATABASES.filter(({ options }) => !options.skip)) {
        const dataDir = await createQuickFolder('meadow-restored-')
        atEnd(t, () => rm(dataDir, { recursive: true }))
        const { databaseUrl } = to.name === 'postgres' ? await to.createLocation(t, { empty: true }) : {}
        const env = { MEADOW_DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
        const there = await createCommandLine(t, env)
        const restored = await there.run('restore', target)
        assert.deepEqual([restored.code, restored.stdout], [0, `${saved.id}\n`], restored.stderr)

        const config = readConfig({
          ...env,
          MEADOW_PORT: '0',
          MEADOW_STOP_NOTICE_SECONDS: '0',
          MEADOW_SOLVE_WORKERS: '0',
        })
        const { address, stop, database } = await startService(config, createLog('silent'))
        atEnd(t, stop)
        assert.deepEqual(await readAll(address, service), before)
        assert.deepEqual(await download(address, service.link), file)
        const me = await fetch(`${address}/app/v1/me`, { headers: { cookie: service.cookie } })
        assert.equal(me.status, 200)
        const signedIn = await fetch(`${address}/app/v1/sign-in`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'ann@example.org', password: PASSWORD }),
        })
        assert.equal(signedIn.status, 200)
        const bin = await database.read.selectFrom('bin_item').select('public_id').execute()
        assert.equal(bin.length, 1)
      }
    })
  })
}
