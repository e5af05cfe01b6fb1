import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveNodes } from '@meadow/client/live'
import { until } from '../../testing/until.ts'
import { addSlider } from './testing/sliders.ts'
import { startLiveServer } from './testing/start-live-server.ts'

test('[LIV-7, THM-5] given a document that stays open, when nodes were moved for a while, then its log is compacted to a few hundred changes, it is read and edited as before, and its picture is known to be the same', async (t) => {
  const { fixtures, team, person, open, get, database } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const live = await open(id, (await person('ann')).cookie)
  const node = addSlider(live)
  for (let x = 1; x <= 1300; x++) live.edit((doc) => moveNodes(doc, { [node]: { x, y: 0 } }))
  await live.durable()
  const countChanges = async () =>
    (await database.read.selectFrom('document_change').select('seq').execute()).length
  const { seq } = await database.read.selectFrom('document').select('seq').executeTakeFirstOrThrow()
  assert.equal(seq, 1302)
  const before = await get(`/documents/${id}`)
  await until('the log is compacted', async () => (await countChanges()) <= 400)
  const shown = await database.read
    .selectFrom('document')
    .select(['shown_seq', 'shown_until'])
    .executeTakeFirstOrThrow()
  // The slider was the second change.
  assert.equal(shown.shown_seq, 2)
  assert.ok(shown.shown_until! > 1000, String(shown.shown_until))
  const after = await get(`/documents/${id}`)
  assert.deepEqual([after.headers.get('etag'), after.text], [before.headers.get('etag'), before.text])
  live.edit((doc) => moveNodes(doc, { [node]: { x: 2000, y: 0 } }))
  await live.durable()
  assert.equal((await get(`/documents/${id}`)).json.document.nodes[node].position.x, 2000)
})
