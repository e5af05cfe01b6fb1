import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeNodes } from '@meadow/client/live'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { sliderContent } from '../live/testing/sliders.ts'
import { startLiveServer } from '../live/testing/start-live-server.ts'

test('[HIST-3] [HIST-13] [HIST-14] given a document that people edit, when the operator lists, shows, names, pins and restores versions, and asks for a solve, then the editors have the restored one, what is solved is a version, and the audit log says so', async (t) => {
  const server = await startLiveServer(t)
  const { fixtures, team, person, open, dataDir, database } = server
  const id = await fixtures.document(team, { content: sliderContent(4) })
  const live = await open(id, (await person('ann')).cookie)
  const nodes = Object.keys(live.read().nodes)
  live.edit((doc) => removeNodes(doc, nodes))
  await live.durable()
  const { run, json } = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const { versions } = await json('versions', 'list', id)
  assert.deepEqual(
    versions.map(({ seq, nodes }: { seq: number; nodes: number }) => [seq, nodes]),
    [[1, 4]],
  )
  const shown = await json('versions', 'show', id, '1')
  assert.deepEqual(Object.keys(shown.graph.nodes).sort(), nodes.toSorted())
  const named = await json('versions', 'name', id, '1', 'As built')
  assert.equal(named.version.name, 'As built')
  assert.equal((await json('versions', 'pin', id, versions[0].id)).version.isPinned, true)
  const back = new Promise<void>((resolve) => {
    live.on('change', () => {
      if (Object.keys(live.read().nodes).length === 4) resolve()
    })
  })
  const restored = await json('versions', 'restore', id, '1')
  assert.equal(restored.before.nodes, 0)
  await back
  await changeTeam(database, team.key, (change) => addCredits(change, 10))
  await json('solve', id)
  const [solved] = (await json('versions', 'list', id)).versions
  assert.deepEqual([solved.kind, solved.nodes, solved.seq > restored.before.seq], ['solve', 4, true])
  const events = await database.read
    .selectFrom('audit_event')
    .where('action', 'like', 'version.%' as never)
    .orderBy('seq')
    .select(['action', 'actor_kind'])
    .execute()
  assert.deepEqual(
    events.map(({ action, actor_kind }) => `${action} ${actor_kind}`),
    ['version.named operator', 'version.pinned operator', 'version.restored operator'],
  )
  for (const [wrong, says] of [
    [['versions', 'show', id, '99'], /has no version "99"/],
    [['versions', 'list', 'doc_nothing'], /There is no document/],
    [['versions', 'name', id, '1'], /Give a name/],
    [['team', 'versions', team.id, '--all-days', '9', '--daily-days', '3'], /as long as the one before/],
    [['team', 'versions', team.id, '--all-days', 'x'], /number of days/],
  ] as const) {
    const { code, stderr } = await run(...wrong)
    assert.notEqual(code, 0)
    assert.match(stderr, says)
  }
  assert.deepEqual(await json('team', 'versions', team.id, '--all-days', '7', '--weekly-days', 'none'), {
    id: team.id,
    allDays: 7,
    dailyDays: 30,
    weeklyDays: null,
  })
})
