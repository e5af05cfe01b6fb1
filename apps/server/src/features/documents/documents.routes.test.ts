import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../testing/start-server.ts'

const namesOf = (response: { json: { documents: { name: string }[] } }) =>
  response.json.documents.map(({ name }) => name)

test('[D7, D19] given a query that no name can match, or unknown parameters, then 200 and no error', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  await fixtures.document(team)
  for (const q of ['%00', 'a'.repeat(20_000), '%FF', '%ED%A0%80', '%0A']) {
    const response = await get(`/documents?q=${q}`)
    assert.equal(response.status, 200, q.slice(0, 10))
    assert.deepEqual(response.json, { documents: [], truncated: false })
  }
  assert.deepEqual(namesOf(await get('/documents?limit=0&offset=9&format=x&q=tow&q=nothing')), ['Tower'])
})
