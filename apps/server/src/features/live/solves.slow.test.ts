import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LiveDocument, moveNodes, setSlider } from '@meadow/client/live'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { sliderContent } from './testing/sliders.ts'
import { nextEvent, startLiveServer } from './testing/start-live-server.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`solves that follow edits on ${kind.name}`, kind.options, () => {
    async function start(t: Parameters<typeof startLiveServer>[0], credits: number) {
      const server = await startLiveServer(t, { kind, env: { MEADOW_SOLVE_WORKERS: '1' } })
      const { database, team, fixtures, person } = server
      if (credits > 0) await changeTeam(server.database, team.key, (change) => addCredits(change, credits))
      const id = await fixtures.document(team, { content: sliderContent(2) })
      const solves = async () => await database.read.selectFrom('solve').selectAll().orderBy('id').execute()
      return { ...server, id, solves, cookie: (await person('ann')).cookie }
    }

    test('[LIV-11, LIV-13] given a document that was never solved, when it is opened in an editor, then it is solved, and its clients are notified', async (t) => {
      const { id, open, cookie, person, get, solves } = await start(t, 100)
      const viewer = await open(id, (await person('eve', 'viewer')).cookie)
      assert.equal(viewer.solve.state, 'never')
      const notified = nextEvent(viewer, 'solve', ({ state }) => state === 'solved')
      const live = await open(id, cookie)
      const solved = live.solve.state === 'solved' ? live.solve : await live.nextSolve()
      assert.equal(solved.state, 'solved')
      assert.equal((await notified).solutionId, solved.solutionId)
      const { status, json } = await get(`/documents/${id}/solution`)
      assert.deepEqual([status, json.data.solutionId], [200, solved.solutionId])
      const again = await open(id, cookie)
      assert.equal(again.solve.state, 'solved')
      assert.equal((await solves()).length, 1)
    })

    test('[LIV-12] given edits, then one that changes what is computed requests a solve, together with those after it, and a move does not', async (t) => {
      const { id, open, cookie, solves } = await start(t, 100)
      const live = await open(id, cookie)
      if (live.solve.state !== 'solved') await live.nextSolve()
      const [node] = Object.keys(live.read().nodes)
      live.edit((doc) => moveNodes(doc, { [node!]: { x: 50, y: 50 } }))
      await live.durable()
      const solving = live.nextSolve()
      for (const value of [0.7, 0.8, 0.9]) live.edit((doc) => setSlider(doc, node!, value))
      const { state } = await solving
      assert.equal(state, 'solved')
      const rows = await solves()
      assert.equal(rows.length, 2)
      // The move is the second change in the log, followed by three values.
      assert.equal(rows[1]!.seq, 5)
    })

    test('[LIV-20] given a document that is opened, edited and then solved on request, then the first solves are automatic and nobody’s, and the last one was asked for by that person', async (t) => {
      const server = await startLiveServer(t, { kind })
      const { address, database, team, fixtures, open } = server
      await changeTeam(database, team.key, (change) => addCredits(change, 100))
      const id = await fixtures.document(team, { content: sliderContent(2) })
      const ann = await server.person('ann')
      const causeAsOf = (seq: number) =>
        until(`a solve as of ${seq} is requested`, async () => {
          const row = await database.read.selectFrom('solve').select(['seq', 'cause']).executeTakeFirst()
          return row !== undefined && row.seq >= seq && row.cause
        })
      const listEvents = () =>
        database.read
          .selectFrom('audit_event')
          .where('action', '=', 'solve.requested')
          .select(['actor_id', 'thing_id'])
          .execute()
      const live = await open(id, ann.cookie)
      assert.equal(await causeAsOf(1), 'automatic')
      const [node] = Object.keys(live.read().nodes)
      live.edit((doc) => setSlider(doc, node!, 0.7))
      assert.equal(await causeAsOf(2), 'automatic')
      assert.deepEqual(await listEvents(), [])
      const { origin } = new URL(address)
      const headers = { cookie: ann.cookie, origin }
      const asked = await fetch(`${address}/app/v1/documents/${id}/solves`, { method: 'POST', headers })
      assert.equal(asked.status, 202)
      assert.equal(await causeAsOf(2), 'asked')
      assert.deepEqual(await listEvents(), [{ actor_id: ann.id, thing_id: id }])
    })

    test('[LIV-12] given an edit right before all clients disconnect, then its solve is requested all the same', async (t) => {
      const { id, open, cookie, database } = await start(t, 100)
      const live = await open(id, cookie)
      if (live.solve.state !== 'solved') await live.nextSolve()
      const [node] = Object.keys(live.read().nodes)
      live.edit((doc) => setSlider(doc, node!, 0.5))
      await live.durable()
      live.close()
      await until('it is asked for', async () => {
        const rows = await database.read.selectFrom('solve').select('id').execute()
        return rows.length === 2
      })
    })

    test('[LIV-13] given a team without credits, then nothing is solved, the state stays, and the editor gets the reason', async (t) => {
      const { id, open, cookie, get, solves } = await start(t, 0)
      const live = await open(id, cookie)
      const { state, reason } = live.solve.reason
        ? live.solve
        : await nextEvent(live, 'solve', (event) => event.reason !== null)
      assert.deepEqual([state, reason], ['never', 'The team has no credits left, so nothing is solved.'])
      const [node] = Object.keys(live.read().nodes)
      const notified = nextEvent(live, 'solve')
      live.edit((doc) => setSlider(doc, node!, 0.5))
      assert.equal((await notified).reason, reason)
      assert.equal((await get(`/documents/${id}/solution`)).status, 409)
      assert.deepEqual(await solves(), [])
    })

    test('[LIV-13] given rejected requests, when the team has credits again, then they are repeated, also for documents that are no longer open', async (t) => {
      const { id, open, cookie, fixtures, solves, database, team } = await start(t, 0)
      const other = await fixtures.document(team, { content: sliderContent(1) })
      const rejected = (live: LiveDocument) =>
        live.solve.reason ? live.solve : nextEvent(live, 'solve', ({ reason }) => reason !== null)
      const [live, closed] = [await open(id, cookie), await open(other, cookie)]
      await Promise.all([rejected(live), rejected(closed)])
      closed.close()
      const solved = nextEvent(live, 'solve', ({ state }) => state === 'solved')
      await changeTeam(database, team.key, (change) => addCredits(change, 100))
      assert.equal((await solved).reason, null)
      await until('both are solved', async () => {
        const states = (await solves()).map(({ state }) => state)
        return states.length === 2 && states.every((state) => state === 'solved')
      })
    })
  })
}
