import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeTeam } from '../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../testing/databases.ts'
import { givenActor } from '../testing/given-actor.ts'
import { givenTeam } from '../testing/given-team.ts'
import { type AccessEndedError, type Actor, checkActor, lockCurrentRoles } from './current-roles.ts'
import { setMember } from './members.ts'

/** Sessions that have just begun have begun before it. */
const NOW = Date.now() + 60_000

for (const kind of FEATURE_DATABASES) {
  describe(`current roles on ${kind.name}`, kind.options, () => {
    test('given people of two teams, when the roles of all are read at once, then each has in each team the role that they have there, while the session lasts', async (t) => {
      const database = await kind.open(t)
      const [{ team }, { team: other }] = [await givenTeam(database), await givenTeam(database, 'Other')]
      const [ann, ben, cem] = [
        await givenActor(database, team, { name: 'ann', role: 'owner', expiresAt: NOW + 1 }),
        await givenActor(database, other, { name: 'ben', role: 'member', expiresAt: NOW + 1 }),
        await givenActor(database, team, { name: 'cem', role: 'owner', expiresAt: NOW }),
      ]
      await changeTeam(database, other, (change) => setMember(change, ann.user, 'viewer'))
      const writers = [
        { ...ann, team },
        { ...ann, team: other },
        { ...ben, team },
        { ...ben, team: other },
        { ...cem, team },
        { ...ben, session: ann.session },
      ]
      const roles = await database.transaction(async (write) => {
        const roleOf = await lockCurrentRoles(database, write, writers, NOW)
        return writers.map(roleOf)
      })
      assert.deepEqual(roles, ['owner', 'viewer', undefined, 'member', 'signed_out', 'signed_out'])
    })

    test('given a write that runs late, when its role or its session has ended meanwhile, then it is rejected', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database)
      const viewer = await givenActor(database, team, { name: 'dan', role: 'viewer' })
      const stranger = await givenActor(database, team, { name: 'eve', role: null })
      const check = (actor: Actor) =>
        database
          .transaction((write) => checkActor(database, write, actor))
          .then(
            () => 'accepted',
            (error: AccessEndedError) => error.code,
          )
      assert.equal(await check(viewer), 'accepted')
      assert.equal(await check({ ...viewer, needs: 'member' }), 'role_missing')
      assert.equal(await check(stranger), 'role_missing')
      assert.equal(await check({ ...viewer, session: stranger.session }), 'not_signed_in')
    })
  })
}
