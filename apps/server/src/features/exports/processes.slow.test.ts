import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { ALL_SCOPES, type Export } from '@meadow/contract'
import { openModelLibrary, walkModel } from '@meadow/model'
import { createToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'
import { createSolveStore } from '../solves/solves.store.ts'
import { givenDocuments, solvedIn, TERMS } from '../solves/testing/given-solves.ts'
import { follow, sha256 } from './testing/start-exports.ts'

const MESHES = 12

/** A model that takes a large part of a second to convert. */
async function writeModel(documentId: string) {
  await using library = openModelLibrary()
  const points = Array.from({ length: 2500 }, (_, i) => ({ x: i % 50, y: Math.floor(i / 50) }))
  const values = Array.from({ length: MESHES }, (_, index) => ({
    value: {
      type: 'mesh' as const,
      vertices: points.map(({ x, y }) => ({ x, y, z: Math.sin(x * y * (index + 1)) })),
      faces: points.flatMap(({ x, y }, i) =>
        x < 49 && y < 49 ? [{ type: 'meshFace' as const, a: i, b: i + 1, c: i + 51, d: i + 50 }] : [],
      ),
    },
    nodeInstanceId: 'node',
    portInstanceId: 'port',
    path: '{0}',
    index,
    nodeName: 'Waves',
    portName: 'Mesh',
  }))
  return library.write(values, { documentId, archiveVersion: 7, units: 'none', savedAt: new Date(0) })
}

/** Processes that share a database with a solved document, which has a large model. */
async function open(t: TestContext, kind: TestDatabase) {
  const { databaseUrl } = await kind.createLocation(t)
  const env = {
    MEADOW_PORT: '0',
    MEADOW_SOLVE_WORKERS: '0',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const { dataDir, start } = await createCommandLine(t, env)
  const database = await openDatabase({ databaseUrl, dataDir })
  atEnd(t, () => database.close())
  const blobs = await openDiskBlobs(join(dataDir, 'blobs'))
  const { team, documents } = await givenDocuments(database, 100, [{}])
  const { key, id } = documents[0]!
  const { bytes, objectCount } = await writeModel(id)
  const { digest, size } = await blobs.put(bytes)
  const solves = createSolveStore(database)
  await solves.request(team.key, [key])
  const model = { digest, bytes: size, objects: objectCount }
  await solves.complete((await solves.lease(TERMS))!, solvedIn(1, digest, model))
  async function giveToken() {
    const secret = createTokenSecret()
    const { id } = await changeTeam(database, team.key, (change) =>
      createToken(change, { name: 'test', secret, scopes: ALL_SCOPES }),
    )
    return { id, secret }
  }
  const { secret } = await giveToken()

  async function serve() {
    const process = start('serve', '--json')
    const { address } = JSON.parse(await process.firstLine())
    const requestExport = async (token = secret): Promise<Export> => {
      const response = await fetch(`${address}/api/v1/documents/${id}/export?format=.3dm`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(response.status, 200, await response.clone().text())
      return ((await response.json()) as { export: Export }).export
    }
    return { ...process, requestExport }
  }

  const readFiles = () => database.read.selectFrom('export_file').selectAll().execute()
  /** Instead of waiting. */
  const endLeases = () =>
    database.transaction((write) =>
      write.updateTable('export_file').set({ lease_until: 0 }).where('digest', 'is', null).execute(),
    )
  /** The tokens whose links are in the audit log. */
  async function readLinked(): Promise<ReadonlySet<string | null>> {
    const { read } = database
    const linked = read.selectFrom('audit_event').where('action', '=', 'export.linked').select('token')
    return new Set((await linked.execute()).map(({ token }) => token))
  }
  return { serve, readFiles, endLeases, readLinked, blobs, giveToken }
}

for (const kind of DATABASES) {
  describe(`processes that export on ${kind.name}`, { skip: kind.options.skip || noLauncher }, () => {
    test('[EXP-8, EXP-31] given a server that is killed while it makes a file, when others get many concurrent requests, then one makes it, and it is complete; when one of these is killed while it gives links, then each is in the audit log', async (t) => {
      const { serve, readFiles, endLeases, blobs, giveToken, readLinked } = await open(t, kind)
      const first = await serve()
      const cutOff = first.requestExport().catch(() => 'cut off')
      await until('the file is being made', async () => (await readFiles()).length > 0)
      first.kill('SIGKILL')
      await first.finished
      await cutOff
      const [left] = await readFiles()
      assert.equal(left!.digest === null || (await blobs.has(left!.digest)), true)
      await endLeases()
      const others = [await serve(), await serve()]
      const exports = await Promise.all(
        others.flatMap(({ requestExport }) => [requestExport(), requestExport(), requestExport()]),
      )
      assert.equal(new Set(exports.map((made) => made.sha256)).size, 1)
      const [file, ...more] = await readFiles()
      assert.deepEqual([file!.id, file!.digest, more], [left!.id, exports[0]!.sha256, []])
      // A link of one server works at the other.
      const { url } = exports[0]!
      const { bytes } = await follow(url.replace(new URL(url).host, new URL(exports[3]!.url).host))
      assert.equal(sha256(bytes), exports[0]!.sha256)
      assert.equal([...walkModel(bytes)].length, MESHES)

      const tokens = []
      for (let count = 0; count < 40; count++) tokens.push(await giveToken())
      const linked: string[] = []
      const asked = tokens.map(async ({ id, secret }) => {
        await others[0]!.requestExport(secret)
        linked.push(id)
        if (linked.length === 10) others[0]!.kill('SIGKILL')
      })
      await Promise.allSettled(asked)
      assert.ok(linked.length >= 10)
      const recorded = await readLinked()
      assert.deepEqual(
        linked.filter((id) => !recorded.has(id)),
        [],
      )
    })
  })
}
