import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, test } from 'node:test'
import { startServer } from '../../testing/start-server.ts'
import { numbers } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

const wait = (seconds: number | string) => ({ headers: { prefer: `wait=${seconds}` } })

describe('Prefer: wait', () => {
  test('[C3] given a solve of this process, when it is waited for, then the answer comes when it has ended', async (t) => {
    const { service, database, given, team, get } = await startServer(t)
    await database.transaction((write) => write.updateTable('team').set({ credits: 10 }).execute())
    const id = await given.document(team, { content: numbers() })
    const [document] = await service.solving.store.findDocuments([id])
    await service.solving.ask(team.key, [document!.key])
    const { status, headers, json } = await get(`/documents/${id}/solution`, wait(30))
    assert.equal(status, 200)
    assert.ok(json.data.solutionId)
    assert.equal(headers.get('preference-applied'), null)
  })

  test('[C3] given a solve of another process, when it ends, then the answer comes soon', async (t) => {
    const { document, run, solveClaimed, failClaimed, get } = await startSolutions(t)
    const id = await document(numbers())
    const running = await run(id)
    const answer = get(`/documents/${id}/solution`, wait(30))
    const solutionId = await solveClaimed(running)
    assert.equal((await answer).json.data.solutionId, solutionId)
    const next = await run(id)
    const failed = get(`/documents/${id}/solution?format=bimz`, wait(30))
    await failClaimed(next, 'For a test.')
    assert.equal((await failed).status, 502)
  })

  test('[D9] given a solve that goes on, when the time is up, then 202 that tells how long it was held back', async (t) => {
    const { document, queue, get } = await startSolutions(t)
    const id = await document(numbers())
    await queue(id)
    const start = performance.now()
    const { status, headers, json } = await get(`/documents/${id}/solution`, wait(1))
    assert.ok(performance.now() - start >= 1000)
    assert.equal(status, 202)
    assert.equal(headers.get('preference-applied'), 'wait=1')
    assert.equal(headers.get('retry-after'), '1')
    assert.deepEqual(Object.keys(json), ['error'])
  })

  test('given no whole number of seconds, or nothing to wait for, then the answer comes at once', async (t) => {
    const { document, queue, get } = await startSolutions(t)
    const id = await document(numbers())
    assert.equal((await get(`/documents/${id}/solution`, wait(30))).status, 409)
    await queue(id)
    for (const seconds of ['0', '', 'long', '-5']) {
      const { status, headers } = await get(`/documents/${id}/solution`, wait(seconds))
      assert.equal(status, 202)
      assert.equal(headers.get('preference-applied'), null)
    }
  })

  test('given a server that stops, then whoever waits is answered 202 at once', async (t) => {
    const { document, queue, service, get } = await startSolutions(t)
    const id = await document(numbers())
    await queue(id)
    const arrived = arrivals(3)
    const answers = [1, 2, 3].map(() => get(`/documents/${id}/solution`, wait(30)))
    await arrived
    const start = performance.now()
    await service.stop()
    for (const answer of answers) assert.equal((await answer).status, 202)
    assert.ok(performance.now() - start < 10_000)
  })
})

/** Resolves when so many requests have arrived. */
function arrivals(count: number): Promise<void> {
  const channel = 'http.server.request.start'
  return new Promise((resolve) => {
    let left = count
    const arrive = () => {
      if (--left > 0) return
      unsubscribe(channel, arrive)
      resolve()
    }
    subscribe(channel, arrive)
  })
}
