import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APP_ENDPOINTS, FRESH_SIGN_IN_NEEDED } from '@meadow/contract/web'
import { setMember } from '../../access/members.ts'
import { putFolderIntoBin } from '../../library/bin.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Moves the beginning of all sessions, and what was proved in them, further into the past. */
const age = (database: Database, ms: number) =>
  database.transaction(async (write) => {
    const rows = await write.selectFrom('session').select(['id', 'createdAt', 'provedAt']).execute()
    for (const { id, createdAt, provedAt } of rows) {
      const moved = new Date(new Date(createdAt).getTime() - ms).toISOString()
      await write
        .updateTable('session')
        .set({ createdAt: moved, provedAt: provedAt && provedAt - ms })
        .where('id', '=', id)
        .execute()
    }
  })

for (const kind of FEATURE_DATABASES) {
  describe(`fresh sign-ins on ${kind.name}`, kind.options, () => {
    test('[SIGN-30] given a session that began more than ten minutes ago, when it calls what needs a fresh sign-in, then it gets 403 until the person gave their password again, for ten minutes', async (t) => {
      const { open, createPerson, database, team } = await startWebApp(t, kind)
      const { id: userId, email } = await createPerson('Ann')
      await changeTeam(database, team.key, (change) => setMember(change, userId, 'owner'))
      const ann = open()
      await ann.request('POST', '/sign-in', { email, password: PASSWORD })
      const invite = () => ann.request('POST', `/teams/${team.id}/invitations`, { role: 'viewer' })
      assert.equal((await invite()).status, 201)
      await age(database, 10 * MINUTE_MS)
      const stale = await invite()
      assert.deepEqual([stale.status, stale.json], [403, { error: FRESH_SIGN_IN_NEEDED }])
      assert.equal((await ann.get(`/teams/${team.id}`)).status, 200)

      const prove = (password: string) => ann.request('POST', '/me/proof', { password })
      assert.equal((await prove('wrong password')).status, 403)
      assert.equal((await invite()).status, 403)
      assert.equal((await prove(PASSWORD)).status, 204)
      assert.equal((await invite()).status, 201)
      await age(database, 9 * MINUTE_MS)
      assert.equal((await invite()).status, 201)
      await age(database, 1 * MINUTE_MS)
      assert.equal((await invite()).status, 403)
    })

    test('[SIGN-38] given a session that is used every day, when 30 days have passed since the sign-in, then it ends', async (t) => {
      const { signIn, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann')
      const expiry = async () =>
        new Date(
          (await database.read.selectFrom('session').select('expiresAt').executeTakeFirstOrThrow()).expiresAt,
        ).getTime()
      const useAfter = async (days: number) => {
        await age(database, days * DAY_MS)
        const left = (await ann.get('/me')).headers.getSetCookie()
        return { left, days: Math.round((await expiry()) - Date.now()) / DAY_MS }
      }
      assert.ok((await useAfter(20)).days > 6.9)
      await database.transaction((write) =>
        write
          .updateTable('session')
          .set({ expiresAt: new Date(Date.now() + DAY_MS).toISOString() })
          .execute(),
      )
      const late = await useAfter(6)
      assert.ok(late.days > 3.9 && late.days < 4.1, String(late.days))
      assert.match(late.left[0]!, /Max-Age=3(4[56]\d{3}); Path=\/; HttpOnly; SameSite=Lax$/)
      assert.deepEqual((await useAfter(0)).left, [])
      await database.transaction((write) =>
        write
          .updateTable('session')
          .set({ expiresAt: new Date(Date.now() + MINUTE_MS).toISOString() })
          .execute(),
      )
      const over = await useAfter(4)
      assert.deepEqual(over.left, [])
      assert.ok(over.days < 0.01)
    })
  })
}

test('[SIGN-30] given someone who guesses passwords in a session that they took over, when they failed ten times, then further attempts are rejected', async (t) => {
  const { open, createPerson } = await startWebApp(t)
  const { email } = await createPerson('Ann')
  const ann = open()
  await ann.request('POST', '/sign-in', { email, password: PASSWORD })
  const prove = (password: string) => ann.request('POST', '/me/proof', { password })
  for (let i = 0; i < 10; i++) assert.equal((await prove(`wrong ${i}`)).status, 403)
  assert.equal((await prove(PASSWORD)).status, 429)
})

test('[SIGN-30] given the endpoints that give access or delete for good, then each needs a fresh sign-in', async (t) => {
  const { signIn, database, team, fixtures } = await startWebApp(t)
  const ann = await signIn('Ann', 'owner')
  const ben = await signIn('Ben', 'viewer')
  const folder = await fixtures.folder(team, 'Folder')
  const binItemId = await changeTeam(database, team.key, (change) =>
    putFolderIntoBin(change, folder.key, ann.userId),
  )
  const documentId = await fixtures.document(team)
  await age(database, 11 * MINUTE_MS)
  const values: Record<string, string> = { teamId: team.id, userId: ben.userId, binItemId, documentId }
  const names = [
    'changeMember',
    'createApiToken',
    'createInvitation',
    'deleteBinItem',
    'emptyBin',
    'removeMember',
  ]
  const marked = APP_ENDPOINTS.filter(({ needsFreshSignIn }) => needsFreshSignIn)
  for (const name of names)
    assert.ok(
      marked.some((endpoint) => endpoint.name === name),
      name,
    )
  for (const { name, method, path } of marked) {
    const filled = path.replaceAll(/:(\w+)/g, (_, parameter: string) => values[parameter] ?? 'nothing')
    const { status, json } = await ann.request(method, filled, method === 'GET' ? undefined : {})
    assert.deepEqual([status, json?.error], [403, FRESH_SIGN_IN_NEEDED], name)
  }
})
