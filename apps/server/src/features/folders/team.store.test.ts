import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TeamKey } from '../../platform/database/tables.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createTeamStore } from './team.store.ts'

for (const kind of DATABASES) {
  describe(`the team on ${kind.name}`, kind.options, () => {
    test('[C2] given teams with folders, then each has its name and its own root folder', async (t) => {
      const database = await kind.open(t)
      const acme = await givenTeam(database, 'Acme')
      const other = await givenTeam(database, 'Other')
      await acme.folder('Towers')
      const teams = createTeamStore(database)
      assert.deepEqual(await teams.get(acme.team), { name: 'Acme', rootFolderId: acme.root.id })
      assert.deepEqual(await teams.get(other.team), { name: 'Other', rootFolderId: other.root.id })
    })

    test('[C7.3, D8] given a team whose root folder is missing, then it has none', async (t) => {
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      await database.transaction((write) => write.deleteFrom('folder').where('id', '=', root.key).execute())
      assert.deepEqual(await createTeamStore(database).get(team), { name: 'Acme', rootFolderId: undefined })
    })

    test('given a key that no team has, then the store throws', async (t) => {
      const database = await kind.open(t)
      await assert.rejects(createTeamStore(database).get(999 as TeamKey), /no team 999/)
    })
  })
}
