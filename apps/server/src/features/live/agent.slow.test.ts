import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveError, setSlider } from '@meadow/client/live'
import { createSessionStore } from '../../access/sessions.store.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { addSlider, sliderContent } from './testing/sliders.ts'
import { nextEvent, startLiveServer } from './testing/start-live-server.ts'

test('[LIV-2] given an agent whose session ends while the server is down, when it is up again, then the document is closed, and a pending wait for an edit fails', async (t) => {
  const { fixtures, team, person, open, service, startAnother, address, dataDir } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const ann = await person('ann')
  const live = await open(id, ann.cookie)
  await service.stop()
  const beside = await openDatabase({ dataDir })
  await createSessionStore(beside, 'not needed here').endSessions(ann.id)
  await beside.close()
  addSlider(live)
  const durable = live.durable()
  const closed = nextEvent(live, 'status', (status) => status === 'closed')
  await startAnother({ MEADOW_PORT: new URL(address).port })
  await assert.rejects(durable, { fault: 'not_signed_in', message: 'Sign in first.' })
  await closed
  assert.equal(live.error?.fault, 'not_signed_in')
  assert.throws(() => addSlider(live), LiveError)
})

test('[LIV-4] given an edit that was rejected without a pending wait, when the client waits for durability, then that fails, once', async (t) => {
  const { fixtures, team, person, open } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const live = await open(id, (await person('ann')).cookie)
  const reset = nextEvent(live, 'reset')
  // Without the operations, which would not allow it.
  live.edit((doc) => doc.getMap('nodes').set('x', 'no node'))
  await reset
  await assert.rejects(live.durable(), { fault: 'refused' })
  addSlider(live)
  await live.durable()
})

test('[LIV-13] given a team without credits, when an agent waits for the solve of its edit, then the wait fails with the reason', async (t) => {
  const { fixtures, team, person, open } = await startLiveServer(t)
  const id = await fixtures.document(team, { content: sliderContent(1) })
  using live = await open(id, (await person('ann')).cookie)
  const [slider] = Object.keys(live.read().nodes)
  live.edit((doc) => setSlider(doc, slider!, 0.5))
  await live.durable()
  const { state, reason } = await live.nextSolve()
  assert.deepEqual([state, reason], ['never', 'The team has no credits left, so nothing is solved.'])
})
