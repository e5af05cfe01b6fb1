import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

const BOSS = { name: 'Eve', email: 'boss@example.org', password: 'typed by eve' }

/** Somebody, Eve, came into a team by an invitation and typed the address of the boss. */
async function startWithEve(t: TestContext, kind: TestDatabase) {
  const app = await startWebApp(t, kind)
  const { databaseUrl } = app
  const commands = await createCommandLine(t, {
    MEADOW_DATA_DIR: app.dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
  const ann = await app.signIn('Ann', 'owner')
  const invite = async (role: string) =>
    (await ann.request('POST', `/teams/${app.team.id}/invitations`, { role })).json.url.split('#')[1]
  const eve = app.open()
  const joined = await eve.request('POST', '/invitations/accept', {
    secret: await invite('owner'),
    account: BOSS,
  })
  assert.equal(joined.status, 200, joined.text)
  return { ...app, ...commands, ann, eve, invite, eveId: joined.json.me.person.id as string }
}

for (const kind of FEATURE_DATABASES) {
  describe(`unconfirmed users on ${kind.name}`, kind.options, () => {
    test('[CLI-24, INV-6] given an address that somebody typed with an invitation, when the operator gives it a role, then that is rejected with both ways out, and --unconfirmed gives it', async (t) => {
      const { run, json, fixtures, eve, ann, team } = await startWithEve(t, kind)
      const board = await fixtures.team('Board')
      const add = ['user', 'add', 'Boss@example.org', '--team', board.id, '--role', 'owner']
      const rejected = await run(...add)
      assert.deepEqual([rejected.code, rejected.stdout], [1, ''])
      assert.match(
        rejected.stderr,
        /Nobody confirmed that "boss@example\.org" .+ confirm it with "meadow-server user confirm boss@example\.org", or add "--unconfirmed"\. If not, .+user create --email boss@example\.org --name NAME --replace-unconfirmed"/,
      )
      assert.equal((await eve.get(`/teams/${board.id}`)).status, 404)
      const { users } = await json('user', 'list')
      const flags = users.map(({ email, confirmed }: Record<string, unknown>) => [email, confirmed])
      assert.deepEqual(flags, [
        [ann.email, true],
        ['boss@example.org', false],
      ])
      const { members } = (await ann.get(`/teams/${team.id}/members`)).json
      assert.deepEqual(
        members.map(({ name, isEmailConfirmed }: Record<string, unknown>) => [name, isEmailConfirmed]),
        [
          ['Ann', true],
          ['Eve', false],
        ],
      )
      await json(...add, '--unconfirmed')
      assert.equal((await eve.get(`/teams/${board.id}`)).status, 200)
      assert.equal((await json('user', 'list')).users[1].confirmed, false)
      // Those whom the operator vouches for need nothing of it.
      await json('user', 'add', ann.email, '--team', board.id)
    })

    test('[CLI-25] given an unconfirmed account with the address of somebody, when the operator replaces it, then nothing of it lets anybody in', async (t) => {
      const { run, json, eve, eveId, invite, team, open, get, database } = await startWithEve(t, kind)
      const create = ['user', 'create', '--email', 'BOSS@example.org', '--name', 'The boss']
      const plain = await run(...create)
      assert.equal(plain.code, 1)
      assert.match(
        plain.stderr,
        /with the e-mail address "boss@example\.org" already\. .+--unconfirmed.+--replace-unconfirmed/,
      )
      const token = (await eve.request('POST', `/teams/${team.id}/tokens`, { name: 'Planted' })).json.secret
      const invited = await eve.request('POST', `/teams/${team.id}/invitations`, { role: 'owner' })
      const planted = invited.json.url.split('#')[1]
      assert.equal((await get('/team', { token })).status, 200)

      const made = await json(...create, '--replace-unconfirmed', '--team', team.id, '--role', 'member')
      assert.deepEqual(made.replaced, {
        id: eveId,
        teams: [{ id: team.id, name: 'Acme', hasOwner: true }],
      })
      assert.notEqual(made.id, eveId)
      assert.equal(made.confirmed, true)
      assert.equal((await eve.get('/me')).status, 401)
      assert.equal((await get('/team', { token })).status, 401)
      assert.equal((await open().request('POST', '/invitations/look', { secret: planted })).status, 410)
      const { email, password } = BOSS
      assert.equal((await open().request('POST', '/sign-in', { email, password })).status, 401)
      for (const table of ['session', 'account', 'membership', 'invitation'] as const) {
        const rows = JSON.stringify(await database.read.selectFrom(table).selectAll().execute())
        assert.ok(!rows.includes(eveId), table)
      }
      // The operator's own word is never undone.
      const again = await run(...create, '--replace-unconfirmed')
      assert.deepEqual(
        [again.code, again.stderr],
        [1, 'Error: There is a user with the e-mail address "boss@example.org" already.\n'],
      )
      await json('user', 'add', 'boss@example.org', '--team', team.id, '--role', 'viewer')
      const someone = open()
      const taken = await someone.request('POST', '/invitations/accept', {
        secret: await invite('viewer'),
        account: BOSS,
      })
      assert.equal(taken.status, 409)
    })

    test('[CLI-25] given an unknown address, when a user is made with --replace-unconfirmed, then they are made', async (t) => {
      const { json } = await startWithEve(t, kind)
      const made = await json(
        'user',
        'create',
        '--email',
        'new@example.org',
        '--name',
        'New',
        '--replace-unconfirmed',
      )
      assert.deepEqual([made.email, made.confirmed, made.replaced], ['new@example.org', true, undefined])
    })
  })
}
