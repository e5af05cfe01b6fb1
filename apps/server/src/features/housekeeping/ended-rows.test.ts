import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addInvitation, deleteEndedInvitations } from '../../access/members.ts'
import { createSessionStore, deleteEndedSessions } from '../../access/sessions.store.ts'
import { createUserStore } from '../../access/users.store.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'

const NOW = Date.now()
const LATER = NOW + 3600 * 1000

for (const kind of DATABASES) {
  describe(`rows that have ended, on ${kind.name}`, kind.options, () => {
    test('[KEEP-2] given sessions and invitations, when some have ended, then those are deleted, and the others stay', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database)
      const ann = await createUserStore(database).createUser({ email: 'ann@example.org', name: 'Ann' })
      const sessions = createSessionStore(database, 'a-secret-that-nobody-can-guess-0123456789', () => NOW)
      for (const expiresAt of [NOW, LATER]) {
        await sessions.createSession({ user: ann.id, expiresAt, userAgent: 'test' })
        const invitation = { role: 'viewer', note: '', createdBy: ann.id, createdAt: NOW - 1 } as const
        const secret = `secret ${expiresAt}`
        await changeTeam(database, team, (change) =>
          addInvitation(change, { ...invitation, secret, expiresAt }),
        )
      }
      await deleteEndedSessions(database, NOW)
      await deleteEndedInvitations(database, NOW)
      const left = await database.read.selectFrom('invitation').select('expires_at').execute()
      assert.deepEqual(left, [{ expires_at: LATER }])
      const open = await sessions.listSessions(ann.id)
      assert.deepEqual(
        open.map(({ expiresAt }) => expiresAt),
        [LATER],
      )
      assert.equal((await database.read.selectFrom('session').select('id').execute()).length, 1)
    })
  })
}
