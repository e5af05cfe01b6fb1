import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { EMPTY_CONTENT, givenTeam } from '../../testing/given-team.ts'
import { createDocumentStore } from './documents.store.ts'

for (const kind of DATABASES) {
  describe(`a document on ${kind.name}`, kind.options, () => {
    test('[C4] given a document, then its properties are read', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const { key, id } = await document({ name: 'Tower 😀' })
      const found = await createDocumentStore(database).find(team, id)
      const { content, ...rest } = found!
      assert.ok(content && 'bytes' in content && EMPTY_CONTENT.bytes.equals(content.bytes))
      assert.deepEqual(rest, {
        key,
        id,
        name: 'Tower 😀',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
        seq: 1,
        file: null,
        facts: undefined,
        size: EMPTY_CONTENT.bytes.length,
      })
    })

    test('[C4, D5] given an id that is missing, of another team, or malformed, then nothing is found', async (t) => {
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      const foreign = await (await givenTeam(database, 'Other')).document()
      const documents = createDocumentStore(database)
      for (const id of ['doc_0000000000000000', foreign.id, root.id, '', 'root', '\0', 'x'.repeat(9_999)]) {
        assert.equal(await documents.find(team, id), undefined, id)
      }
    })
  })
}
