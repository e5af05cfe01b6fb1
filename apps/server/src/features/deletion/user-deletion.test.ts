import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { setMember } from '../../access/members.ts'
import type { Write } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`the deletion of a user on ${kind.name}`, kind.options, () => {
    test('[DEL-6] given a user with documents, tokens, invitations and things in the bin, when they are deleted, then only their work stays; the last owner is refused until the team has another one, or is deleted', async (t) => {
      const { signIn, team, fixtures, database, get, dataDir, databaseUrl } = await startWebApp(t, kind)
      const location = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
      const { run, json } = await createCommandLine(t, { ...location, MEADOW_DATA_DIR: dataDir })
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'viewer')]
      const document = await fixtures.document(team, { name: 'Tower' })
      const binned = await fixtures.document(team, { name: 'Bridge' })
      await ann.request('DELETE', `/documents/${binned}`)
      await ann.request('POST', `/teams/${team.id}/invitations`, { role: 'member', note: '' })
      const made = await ann.request('POST', `/teams/${team.id}/tokens`, {
        name: 'Report',
        scopes: ['documents:read'],
        expiresAt: null,
      })
      const token = made.json.secret ?? made.json.token?.secret
      assert.equal((await get(`/documents/${document}`, { token })).status, 200)

      const begin = async (who: typeof ann, text: string) =>
        who.request('POST', `/documents/${document}/threads`, { anchor: { kind: 'document' }, text })
      assert.equal((await begin(ann, 'Too high')).status, 201)
      assert.equal((await begin(ben, `@${ann.userId}: no`)).status, 201)
      const items = [{ kind: 'document', id: document }]
      await ann.request('POST', `/teams/${team.id}/favourites`, { items, isFavourite: true })
      await ann.request('POST', `/documents/${document}/opened`)
      const webhook = { name: 'CI', url: 'https://hooks.example.org/', events: ['document.solved'] }
      assert.equal((await ann.request('POST', `/teams/${team.id}/webhooks`, webhook)).status, 201)

      const other = await fixtures.team('Other')
      await changeTeam(database, other.key, (change) => setMember(change, ann.userId as never, 'owner'))
      const refused = await run('user', 'delete', ann.email)
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /is the last owner of "Acme" \(team_\w+\), "Other" \(team_\w+\)/)
      assert.match(refused.stderr, new RegExp(`user add EMAIL --team ${team.id} --role owner`))
      assert.equal((await ann.get('/me')).status, 200)
      await json('user', 'add', ben.email, '--team', team.id, '--role', 'owner')
      await json('team', 'delete', other.id)
      const { deleted, teams, remains } = await json('user', 'delete', ann.email)
      assert.equal(deleted, true)
      assert.deepEqual(
        teams.map(({ name, role }: { name: string; role: string }) => [name, role]),
        [
          ['Acme', 'owner'],
          ['Other', 'owner'],
        ],
      )
      assert.match(JSON.stringify(remains), /comments that they wrote.*backups/)

      assert.equal((await ann.get('/me')).status, 401)
      assert.equal((await get(`/documents/${document}`, { token })).status, 401)
      assert.equal((await get(`/documents/${document}`)).status, 200)
      const bin = (await ben.get(`/teams/${team.id}/bin`)).json.items
      assert.deepEqual([bin[0].name, bin[0].deletedBy], ['Bridge', null])
      assert.deepEqual((await ben.get(`/teams/${team.id}/invitations`)).json.invitations, [])
      const members = (await ben.get(`/teams/${team.id}/members`)).json.members
      assert.deepEqual(
        members.map(({ name }: { name: string }) => name),
        ['Ben'],
      )
      const { threads } = (await ben.get(`/documents/${document}/threads`)).json
      assert.deepEqual(
        threads.map(({ excerpt, author }: { excerpt: string; author: { name: string } | null }) => [
          excerpt,
          author?.name,
        ]),
        [
          ['@former member: no', 'Ben'],
          ['Too high', undefined],
        ],
      )
      const [kept] = (await ben.get(`/teams/${team.id}/webhooks`)).json.webhooks
      assert.deepEqual([kept.name, kept.createdBy], ['CI', null])
      const read = database.read as unknown as Write
      for (const table of [
        ...['user', 'session', 'account', 'membership', 'invitation', 'token', 'bin_item', 'webhook'],
        ...['comment_mention', 'comment_read', 'recent_document', 'favourite'],
      ]) {
        const { rows } = await sql`select * from ${sql.table(table)}`.execute(read)
        assert.ok(!JSON.stringify(rows).includes(ann.userId), table)
      }
      assert.equal((await run('user', 'delete', ann.email)).code, 1)
      assert.equal((await json('user', 'create', '--email', ann.email, '--name', 'Ann')).email, ann.email)
    })
  })
}
