import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createDocumentStore } from './documents.store.ts'

for (const kind of DATABASES) {
  describe(`a document on ${kind.name}`, kind.options, () => {
    test('[C4] given a document, then its facts and its content are read, byte for byte', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const bytes = Buffer.from('{"nodes":{"a":"é\\u0000😀"}}')
      const { id } = await document({ name: 'Tower 😀', content: { kind: 'inline', bytes } })
      const found = await createDocumentStore(database).find(team, id)
      assert.deepEqual(
        { ...found, content: undefined },
        {
          id,
          name: 'Tower 😀',
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-02T00:00:00.000Z',
          seq: 1,
          content: undefined,
        },
      )
      assert.ok(found?.content.kind === 'inline' && bytes.equals(found.content.bytes))
    })

    test('given a content that is a blob, then its digest is read', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const content = { kind: 'blob', digest: 'ab'.repeat(32) } as const
      const { id } = await document({ content })
      assert.deepEqual((await createDocumentStore(database).find(team, id))?.content, content)
    })

    test('[C4, D5] given an id that is missing, of another team, or none at all, then nothing is found', async (t) => {
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
