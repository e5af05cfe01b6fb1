import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createSolutionStore } from './solutions.store.ts'

for (const kind of DATABASES) {
  describe(`solutions on ${kind.name}`, kind.options, () => {
    test('[C3] given a document, then its state is that of its most recent solve, or never', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const { key, id } = await document()
      const solutions = createSolutionStore(database)
      assert.equal(await solutions.findState(team, id), 'never')
      for (const state of ['running', 'failed', 'solved'] as const) {
        await database.transaction((write) =>
          write
            .insertInto('solve')
            .values({ document_id: key, state })
            .onConflict((conflict) => conflict.column('document_id').doUpdateSet({ state }))
            .execute(),
        )
        assert.equal(await solutions.findState(team, id), state)
      }
    })

    test('[C4, D5] given an id that is missing, of another team, or none at all, then nothing is found', async (t) => {
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      const foreign = await (await givenTeam(database, 'Other')).document()
      const solutions = createSolutionStore(database)
      for (const id of ['doc_0000000000000000', foreign.id, root.id, '', '\0', 'x'.repeat(9_999)]) {
        assert.equal(await solutions.findState(team, id), undefined, id)
      }
    })
  })
}
