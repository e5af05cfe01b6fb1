import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openDatabase } from '../platform/database/open-database.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { atEnd } from '../testing/at-end.ts'
import { DATABASES } from '../testing/databases.ts'
import { createFolder } from '../testing/definition-folder.ts'
import { givenTeam } from '../testing/given-team.ts'
import { endMembership, setMember } from './members.ts'
import { openSessionSecret, writeSessionCookie } from './session-cookie.ts'
import { createSessionStore } from './sessions.store.ts'
import { createUserStore, EmailTakenError } from './users.store.ts'

const NOW = Date.now()
const HOUR_MS = 3600 * 1000
const secret = 'a-secret-of-the-tests-that-nobody-can-guess-0123456789'

for (const kind of DATABASES) {
  describe(`sessions on ${kind.name}`, kind.options, () => {
    async function fixtures(t: TestContext) {
      const location = await kind.createLocation(t)
      const database = await openDatabase(location)
      atEnd(t, () => database.close())
      const users = createUserStore(database)
      const sessions = createSessionStore(database, secret, () => NOW)
      const ann = await users.createUser({ email: 'Ann@Example.org', name: 'Ann' })
      const signIn = async (expiresAt = NOW + HOUR_MS) => {
        const token = await sessions.createSession({ user: ann.id, expiresAt, userAgent: 'test' })
        return writeSessionCookie(token, { secret, isSecure: false })
      }
      return { database, users, sessions, ann, signIn }
    }

    test('given a session, when its cookie comes among others, then its person is found, until it expires or ends', async (t) => {
      const { database, sessions, ann, signIn } = await fixtures(t)
      const cookie = await signIn()
      const person = await sessions.findPerson(`a=b; ${cookie}; theme="dark"`)
      assert.deepEqual(
        { ...person, sessionId: '' },
        {
          userId: ann.id,
          name: 'Ann',
          email: 'ann@example.org',
          sessionId: '',
          expiresAt: NOW + HOUR_MS,
          isFresh: true,
          hasSecondFactor: false,
        },
      )
      assert.deepEqual(
        await sessions.findValidSessions([person!.sessionId, 'x']),
        new Set([person!.sessionId]),
      )
      assert.equal(await sessions.findPerson(await signIn(NOW)), undefined)
      const all = await database.read.selectFrom('session').select('id').execute()
      const good = await sessions.findValidSessions(all.map(({ id }) => id))
      assert.deepEqual([all.length, good], [2, new Set([person!.sessionId])])
      assert.equal(await sessions.endSessions(ann.id), 2)
      assert.equal(await sessions.findPerson(cookie), undefined)
      assert.deepEqual(await sessions.findValidSessions([person!.sessionId]), new Set())
    })

    test('[SIGN-31] given a person with a second factor, when an invitation or the operator makes their session, then the first is closed until they have given it, and the other open', async (t) => {
      const { database, sessions, ann, signIn } = await fixtures(t)
      await database.transaction((write) =>
        write
          .insertInto('second_factor')
          .values({
            ...{ id: 'fac_x', user_id: ann.id, kind: 'totp', name: 'App', created_at: NOW },
            secret: 'never used here',
          })
          .execute(),
      )
      assert.ok(await sessions.findPerson(await signIn()))
      const session = { user: ann.id, expiresAt: NOW + HOUR_MS, userAgent: 'test' }
      const token = await sessions.createSession({ ...session, by: 'invitation' })
      const cookie = writeSessionCookie(token, { secret, isSecure: false })
      assert.equal(await sessions.findPerson(cookie), undefined)
      const awaiting = await sessions.findAwaiting(cookie)
      assert.equal(awaiting?.userId, ann.id)
      await sessions.recordFactor(awaiting.sessionId)
      assert.equal((await sessions.findPerson(cookie))?.sessionId, awaiting.sessionId)
      assert.equal(await sessions.findAwaiting(cookie), undefined)
    })

    test('given a cookie that is forged, cut off or of another secret, then no user is found', async (t) => {
      const { sessions, ann, signIn } = await fixtures(t)
      const cookie = await signIn()
      const token = await sessions.createSession({ user: ann.id, expiresAt: NOW + HOUR_MS, userAgent: '' })
      const forged = [
        undefined,
        '',
        cookie.slice(0, -5),
        cookie.replace('=', '=x'),
        `better-auth.session_token=${token}`,
        `better-auth.session_token=${token}.`,
        'better-auth.session_token=%E0%A4%A',
        writeSessionCookie(token, { secret: `${secret}x`, isSecure: false }),
      ]
      for (const header of forged) assert.equal(await sessions.findPerson(header), undefined, header)
      const secure = writeSessionCookie(token, { secret, isSecure: true })
      assert.match(secure, /^__Host-/)
      assert.ok(await sessions.findPerson(`better-auth.session_token=old.one; ${secure}`))
    })

    test('given a member of a team, when the role changes and ends, then the lists of members and of memberships follow', async (t) => {
      const { database, users, ann } = await fixtures(t)
      const { team } = await givenTeam(database)
      await changeTeam(database, team, (change) => setMember(change, ann.id, 'viewer'))
      await changeTeam(database, team, (change) => setMember(change, ann.id, 'owner'))
      assert.deepEqual(await users.listMembers(team), [{ ...ann, role: 'owner', isRoleFromProvider: false }])
      assert.equal((await users.listMemberships(ann.id))[0]?.role, 'owner')
      assert.equal(await changeTeam(database, team, (change) => endMembership(change, ann.id)), true)
      assert.equal(await changeTeam(database, team, (change) => endMembership(change, ann.id)), false)
    })

    test('given an e-mail address that somebody has, when a user is made with it in another case, then that is rejected', async (t) => {
      const { users } = await fixtures(t)
      await assert.rejects(users.createUser({ email: 'ANN@example.org', name: 'Other' }), EmailTakenError)
      assert.equal((await users.findUser('aNN@example.org'))?.name, 'Ann')
      assert.deepEqual(
        (await users.listUsers()).map(({ email }) => email),
        ['ann@example.org'],
      )
    })
  })
}

test('given a data folder without a secret, when several need it at once, then they get the same, and no other user can read it', async (t) => {
  const folder = join(await createFolder(t), 'data')
  const secrets = await Promise.all(Array.from({ length: 8 }, () => openSessionSecret(folder, undefined)))
  assert.equal(new Set(secrets).size, 1)
  assert.ok(secrets[0]!.length >= 43)
  assert.equal((await stat(join(folder, 'session-secret'))).mode & 0o777, 0o600)
  assert.equal(await openSessionSecret(folder, 'configured'), 'configured')
  assert.equal(await openSessionSecret(folder, undefined), secrets[0])
})
