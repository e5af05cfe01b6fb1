import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APP_ERRORS } from '@meadow/contract/web'
import { setMember } from '../../access/members.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import type { ReceivedMail } from '../../testing/smtp-server.ts'
import { PASSWORD } from '../../testing/start-web-app.ts'
import { startWithMail } from '../../testing/start-with-mail.ts'

const addressesOf = ({ to = [] }: Pick<ReceivedMail, 'to'>) => to.map(({ address }) => address)

for (const kind of FEATURE_DATABASES) {
  describe(`deletion in the app on ${kind.name}`, kind.options, () => {
    test('[DEL-7] given a team with two owners, when one deletes it in the app, then its name is needed, nobody reaches it, both get a mail, and either restores it as it was', async (t) => {
      const { signIn, team, fixtures, get, secret, newMails, database } = await startWithMail(t, kind)
      const [ann, bea, cem] = [
        await signIn('Ann', 'owner'),
        await signIn('Bea', 'owner'),
        await signIn('Cem', 'member'),
      ]
      await database.transaction((write) =>
        write
          .updateTable('user')
          .set({ emailVerified: true as never })
          .execute(),
      )
      const document = await fixtures.document(team, { name: 'Tower' })
      const path = `/teams/${team.id}/deletion`
      assert.equal((await cem.request('POST', path, { name: team.name })).status, 403)
      for (const name of ['', team.name.toLowerCase(), `${team.name} `]) {
        const { status, json } = await ann.request('POST', path, { name })
        assert.deepEqual([status, json.error], [400, APP_ERRORS.confirmation_not_right.sentence])
      }
      assert.equal((await get(`/documents/${document}`, { token: secret })).status, 200)

      const { status, json } = await ann.request('POST', path, { name: team.name })
      assert.equal(status, 200)
      const days = (Date.parse(json.team.restorableUntil) - Date.now()) / 86_400_000
      assert.ok(days > 13.9 && days <= 14, String(days))
      assert.deepEqual([json.team.id, json.team.name, json.team.isRestorable], [team.id, team.name, true])
      assert.match(JSON.stringify(json.remains), /everything that the team stores.*backups of the service/)
      assert.equal((await get(`/documents/${document}`, { token: secret })).status, 401)
      for (const person of [ann, bea, cem]) assert.equal((await person.get(`/teams/${team.id}`)).status, 404)

      const mails = await newMails()
      const deleted = mails.filter(({ subject }) => subject === 'A team of yours was deleted')
      assert.deepEqual(deleted.flatMap(addressesOf).toSorted(), [ann.email, bea.email].toSorted())
      assert.match(deleted[0]!.text!, /An owner deleted the team "Acme"[\s\S]*can restore it until/)

      assert.deepEqual((await cem.get('/me/deletions')).json.deletedTeams, [])
      const restore = `/me/deletions/${team.id}/restore`
      const foreign = await cem.request('POST', restore)
      assert.deepEqual(
        [foreign.status, foreign.json.error],
        [404, APP_ERRORS.deleted_team_not_found.sentence],
      )
      assert.deepEqual((await bea.get('/me/deletions')).json.deletedTeams, [json.team])
      assert.equal((await bea.request('POST', restore)).status, 204)
      assert.equal((await bea.request('POST', restore)).status, 404)
      assert.equal((await cem.get(`/teams/${team.id}`)).status, 200)
      assert.equal((await get(`/documents/${document}`, { token: secret })).status, 200)
      assert.ok((await newMails()).some(({ subject }) => subject === 'A deleted team of yours was restored'))

      const events = await database.read
        .selectFrom('audit_event')
        .where('chain', '=', team.id)
        .where('action', 'in', ['team.deleted', 'team.restored'])
        .orderBy('seq')
        .select(['action', 'actor_kind', 'actor_id', 'session'])
        .execute()
      assert.deepEqual(
        events.map(({ action, actor_kind, actor_id }) => [action, actor_kind, actor_id]),
        [
          ['team.deleted', 'user', ann.userId],
          ['team.restored', 'user', bea.userId],
        ],
      )
      assert.ok(events.every(({ session }) => session !== null))
    })

    test('[DEL-7] given a team that the operator deleted, or whose purge has begun, then its owner sees the first and restores neither', async (t) => {
      const { signIn, team, database, dataDir, databaseUrl } = await startWithMail(t, kind)
      const location = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
      const { json } = await createCommandLine(t, { ...location, MEADOW_DATA_DIR: dataDir })
      const ann = await signIn('Ann', 'owner')
      const restore = () => ann.request('POST', `/me/deletions/${team.id}/restore`)
      await ann.request('POST', `/teams/${team.id}/deletion`, { name: team.name })
      // Who asked for it last decides.
      await json('team', 'delete', team.id)
      const { deletedTeams } = (await ann.get('/me/deletions')).json
      assert.deepEqual(
        deletedTeams.map((deleted: { isRestorable: boolean }) => deleted.isRestorable),
        [false],
      )
      const refused = await restore()
      assert.deepEqual([refused.status, refused.json.error], [403, APP_ERRORS.deleted_by_operator.sentence])
      await json('team', 'restore', team.id)
      await ann.request('POST', `/teams/${team.id}/deletion`, { name: team.name })
      await database.transaction((write) => write.updateTable('team_deletion').set({ begun_at: 1 }).execute())
      assert.equal((await restore()).status, 404)
      assert.deepEqual((await ann.get('/me/deletions')).json.deletedTeams, [])
    })

    test('[DEL-7] given a person who deletes their account, then the last owner is told of which teams, the address is needed, and afterwards nothing signs in, and they get a mail', async (t) => {
      const { open, signIn, createPerson, team, database, newMails } = await startWithMail(t, kind)
      const { id, email } = await createPerson('Ann')
      await changeTeam(database, team.key, (change) => setMember(change, id, 'owner'))
      await database.transaction((write) =>
        write
          .updateTable('user')
          .set({ emailVerified: true as never })
          .execute(),
      )
      const ann = open()
      await ann.request('POST', '/sign-in', { email, password: PASSWORD })
      const erase = (typed: string) => ann.request('POST', '/me/deletion', { email: typed })
      assert.deepEqual((await ann.get('/me/deletions')).json.lastOwnerOf, [{ id: team.id, name: team.name }])
      const last = await erase(email)
      assert.equal(last.status, 409)
      assert.match(last.json.error, /last owner of "Acme"/)
      const ben = await signIn('Ben', 'owner')
      assert.deepEqual((await ann.get('/me/deletions')).json.lastOwnerOf, [])
      assert.equal((await erase(ben.email)).status, 400)
      assert.equal((await ann.get('/me')).status, 200)

      const { cookie } = ann
      const done = await erase(email)
      assert.equal(done.status, 200)
      assert.match(JSON.stringify(done.json.remains), /without a name/)
      assert.match(done.headers.get('clear-site-data') ?? '', /cache/)
      assert.equal(ann.cookie, '')
      assert.equal((await open(cookie).get('/me')).status, 401)
      assert.equal((await open().request('POST', '/sign-in', { email, password: PASSWORD })).status, 401)
      const [mail] = (await newMails()).filter(({ subject }) => subject === 'Your account was deleted')
      assert.deepEqual(addressesOf(mail!), [email])
      const event = await database.read
        .selectFrom('audit_event')
        .where('action', '=', 'user.deleted')
        .select(['actor_kind', 'actor_id', 'thing_id'])
        .executeTakeFirstOrThrow()
      assert.deepEqual(event, { actor_kind: 'user', actor_id: id, thing_id: id })
    })
  })
}
