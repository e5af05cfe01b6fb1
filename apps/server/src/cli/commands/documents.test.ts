import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createUserStore } from '../../access/users.store.ts'
import { givenDocuments } from '../../features/solves/testing/given-solves.ts'
import { points } from '../../features/solves/testing/graphs.ts'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

const ADDRESS = 'https://meadow.example.org/m'

/** The operator's command over a team with two documents. */
async function open(t: TestContext, env: Record<string, string> = { MEADOW_BASE_URL: ADDRESS }) {
  const commandLine = await createCommandLine(t, env)
  const { dataDir } = commandLine
  const database = await openDatabase({ dataDir })
  const { team, documents } = await givenDocuments(database, 0, [points(), points()])
  await database.close()
  const [first, second] = documents.map(({ id }) => id)
  /** The documents that are public, and the team's version. */
  async function readState() {
    const database = await openDatabase({ dataDir })
    const rows = await database.read.selectFrom('document').select(['public_id', 'visibility']).execute()
    const { version } = await database.read.selectFrom('team').select('version').executeTakeFirstOrThrow()
    await database.close()
    const shared = rows.flatMap(({ public_id, visibility }) => (visibility === 'public' ? [public_id] : []))
    return { shared, version }
  }
  async function bin(id: string) {
    const database = await openDatabase({ dataDir })
    const user = await createUserStore(database).createUser({ name: 'Ann', email: 'ann@example.org' })
    const { key } = documents.find((document) => document.id === id)!
    await changeTeam(database, team.key, (change) => putDocumentIntoBin(change, key, user.id))
    await database.close()
  }
  return { ...commandLine, first: first!, second: second!, readState, bin }
}

describe('documents', { skip: noLauncher }, () => {
  test('[CLI-29] given a private document, when it is shared and set back, then the link is printed, and only that document changes', async (t) => {
    const { run, json, first, readState } = await open(t)
    const url = `${ADDRESS}/documents/${first}`
    const before = await readState()
    const shown = await run('document', 'share', first)
    assert.deepEqual([shown.code, shown.stdout], [0, `${url}\n`])
    assert.match(shown.stderr, /^Only members of team ".+" can open "Document 0"\.\n$/)
    assert.deepEqual(await readState(), before)

    const shared = await run('document', 'share', first, '--public')
    assert.deepEqual([shared.code, shared.stdout], [0, `${url}\n`])
    assert.equal(shared.stderr, 'Anyone with the link can open "Document 0".\n')
    const after = await readState()
    assert.deepEqual(after.shared, [first])
    assert.ok(after.version > before.version)

    const facts = { id: first, name: 'Document 0', visibility: 'public', url }
    assert.deepEqual(await json('document', 'share', first), facts)
    assert.deepEqual(await json('document', 'share', first, '--private'), { ...facts, visibility: 'private' })
    assert.deepEqual((await readState()).shared, [])

    const player = { ...facts, visibility: 'player', url: `${ADDRESS}/play/${first}` }
    assert.deepEqual(await json('document', 'share', first, '--player'), player)
    const told = await run('document', 'share', first)
    assert.deepEqual([told.code, told.stdout], [0, `${player.url}\n`])
    assert.equal(told.stderr, 'Anyone with the link can open the player of "Document 0".\n')
    assert.deepEqual((await readState()).shared, [])
    assert.deepEqual(await json('document', 'share', first, '--private'), { ...facts, visibility: 'private' })
  })

  test('[CLI-29] given no base URL, when a link is printed, then it has the address of this machine, and a warning says so', async (t) => {
    const { run, first } = await open(t, { MEADOW_PORT: '4321', MEADOW_HOST: '0.0.0.0' })
    const { stdout, stderr } = await run('document', 'share', first)
    assert.equal(stdout, `http://localhost:4321/documents/${first}\n`)
    assert.match(stderr, /MEADOW_BASE_URL is not set/)
  })

  test('[CLI-29] given a document that does not exist or is in the bin, or both options, when it is shared, then a sentence says what to do, and nothing changes', async (t) => {
    const { run, first, second, readState, bin } = await open(t)
    await bin(second)
    for (const id of ['doc_0000000000000000', 'nothing\u001b', second]) {
      const { code, stdout, stderr } = await run('document', 'share', id, '--public')
      assert.deepEqual([code, stdout], [1, ''], id)
      assert.match(
        stderr,
        /^Error: There is no document ".+"\. .+ a document in the bin has to be restored first\.\n$/,
      )
      assert.ok(!stderr.includes('\u001b'))
    }
    const both = await run('document', 'share', first, '--public', '--private')
    assert.equal(both.code, 2)
    assert.deepEqual((await readState()).shared, [])
  })
})
