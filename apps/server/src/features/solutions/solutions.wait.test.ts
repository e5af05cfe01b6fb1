import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, test } from 'node:test'
import { createUserStore } from '../../access/users.store.ts'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'
import { createSolveStore } from '../solves/solves.store.ts'
import { createSolutionStore } from './solutions.store.ts'
import { createSolveWaits } from './solve-waits.ts'
import { numbers } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

const wait = (seconds: number | string) => ({ headers: { prefer: `wait=${seconds}` } })

describe('Prefer: wait', () => {
  test('[C3] given a solve of this process, when a request waits for it, then it is answered when the solve has ended', async (t) => {
    const { service, database, fixtures, team, get } = await startServer(t)
    await database.transaction((write) => write.updateTable('team').set({ credit_tenths: 100 }).execute())
    const id = await fixtures.document(team, { content: numbers() })
    const [document] = await service.solving.store.findDocuments([id])
    await service.solving.request(team.key, [document!.key])
    const { status, headers, json } = await get(`/documents/${id}/solution`, wait(30))
    assert.equal(status, 200)
    assert.ok(json.data.solutionId)
    assert.equal(headers.get('preference-applied'), null)
  })

  test('[C3] given a solve of another process, when it ends, then a waiting request is answered soon', async (t) => {
    const { document, run, solveLeased, failLeased, get } = await startSolutions(t)
    const id = await document(numbers())
    const running = await run(id)
    const response = get(`/documents/${id}/solution`, wait(30))
    const solutionId = await solveLeased(running)
    assert.equal((await response).json.data.solutionId, solutionId)
    const next = await run(id)
    const failed = get(`/documents/${id}/solution?format=bimz`, wait(30))
    await failLeased(next, 'For a test.')
    assert.equal((await failed).status, 502)
  })

  test('[HTTP-17] given a token that may have one concurrent request, when one waits for a solve, then the next one is answered', async (t) => {
    const { document, run, solveLeased, get } = await startSolutions(t, {
      env: { MEADOW_MAX_REQUESTS: 'caller=1, team=1, process=1' },
    })
    const id = await document(numbers())
    const running = await run(id)
    const response = get(`/documents/${id}/solution`, wait(30))
    for (let i = 0; i < 5; i++) assert.equal((await get('/team')).status, 200)
    const solutionId = await solveLeased(running)
    assert.equal((await response).json.data.solutionId, solutionId)
  })

  test('[D9] given a solve that goes on, when the time is up, then 202 that states how long the request waited', async (t) => {
    const { document, queue, get } = await startSolutions(t)
    const id = await document(numbers())
    await queue(id)
    const start = performance.now()
    const { status, headers, json } = await get(`/documents/${id}/solution`, wait(1))
    assert.ok(performance.now() - start >= 990)
    assert.equal(status, 202)
    assert.equal(headers.get('preference-applied'), 'wait=1')
    assert.equal(headers.get('retry-after'), '1')
    assert.deepEqual(Object.keys(json), ['error'])
  })

  test('given no whole number of seconds, or no running solve, then the request is answered at once', async (t) => {
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

  test('given a server that stops, then waiting requests are answered 202', async (t) => {
    const { document, queue, service, get } = await startSolutions(t, { isAlone: true })
    const id = await document(numbers())
    await queue(id)
    const arrived = arrivals(3)
    const responses = [1, 2, 3].map(() => get(`/documents/${id}/solution`, wait(30)))
    await arrived
    await service.stop()
    for (const response of responses) assert.equal((await response).status, 202)
  })
})

const LIMITS = { caller: 1000, team: 1000, process: 1000 }

for (const kind of DATABASES) {
  describe(`waiting on ${kind.name}`, kind.options, () => {
    test('[WAIT-1] given hundreds of requests that wait for two documents, when one is solved elsewhere and the other is deleted, then each query was one for both, and the requests are answered', async (t) => {
      const location = await kind.createLocation(t)
      const [database, elsewhere] = [await openDatabase(location), await openDatabase(location)]
      for (const one of [database, elsewhere]) atEnd(t, () => one.close())
      const { team, document } = await givenTeam(database)
      await database.transaction((write) => write.updateTable('team').set({ credit_tenths: 100 }).execute())
      const solves = createSolveStore(elsewhere)
      const [solved, other] = [await document(), await document()]
      await solves.request(team, [solved.key])
      const leased = (await solves.lease({ leaseMs: 600_000, maxTenths: 10 }))!
      await solves.request(team, [other.key])

      const store = createSolutionStore(database)
      const polls: (readonly DocumentKey[])[] = []
      const waits = createSolveWaits(
        {
          database,
          listRunning(documents) {
            polls.push(documents)
            return store.listRunning(documents)
          },
        },
        LIMITS,
      )
      atEnd(t, waits.close)
      const { signal } = new AbortController()
      let finds = 0
      const wait = ({ key, id }: Awaited<ReturnType<typeof document>>) =>
        waits.wait({
          document: key,
          team,
          token: 'tok',
          seconds: 600,
          signal,
          find() {
            finds++
            return store.find(team, id)
          },
        })
      const first = Array.from({ length: 200 }, () => wait(solved))
      const second = Array.from({ length: 200 }, () => wait(other))
      await until('a query is made', async () => polls.length > 0)
      assert.equal(finds, 0)
      await solves.complete(leased, { state: 'failed', durationMs: 1, chargedMs: 1, reason: 'For a test.' })
      for (const response of await Promise.all(first)) assert.equal(response!.status!.state, 'failed')
      assert.equal(finds, 200)
      // Once the first one has ended, a query may be for the other one alone.
      const shared = polls.filter((poll) => poll.includes(solved.key))
      assert.ok(shared.length > 0)
      for (const poll of shared) assert.deepEqual(poll, [solved.key, other.key])
      const { id: user } = await createUserStore(database).createUser({
        name: 'Ann',
        email: 'ann@example.org',
      })
      await changeTeam(database, team, (change) => putDocumentIntoBin(change, other.key, user))
      for (const response of await Promise.all(second)) assert.equal(response!.status, undefined)
    })

    test('[WAIT-1] given a solve that ended before the wait began, or a document in the bin, then no request waits for it', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      const store = createSolutionStore(database)
      const { key } = await document()
      assert.deepEqual(await store.listRunning([key]), new Set())
      await database.transaction((write) => write.updateTable('team').set({ credit_tenths: 100 }).execute())
      const solves = createSolveStore(database)
      await solves.request(team, [key])
      assert.deepEqual(await store.listRunning([key]), new Set([key]))
      await solves.lease({ leaseMs: 600_000, maxTenths: 10 })
      assert.deepEqual(await store.listRunning([key]), new Set([key]))
      const user = (await createUserStore(database).createUser({ name: 'Ann', email: 'ann@example.org' })).id
      await changeTeam(database, team, (change) => putDocumentIntoBin(change, key, user))
      assert.deepEqual(await store.listRunning([key]), new Set())
    })
  })
}

test('[WAIT-2, WAIT-3] given a token with as many waiting requests as it may have, when it sends another one, then that is answered at once without Preference-Applied, until one of them has ended', async (t) => {
  const { document, queue, fixtures, team, get } = await startSolutions(t, {
    env: { MEADOW_MAX_WAITS: 'caller=2, team=3' },
  })
  const id = await document(numbers())
  await queue(id)
  const path = `/documents/${id}/solution`
  const hold = (token?: string) => {
    const leave = new AbortController()
    const response = get(path, { ...wait(30), signal: leave.signal, ...(token && { token }) })
    response.catch(() => {})
    return { response, leave: () => leave.abort() }
  }
  const isRejected = async (token?: string) => {
    const { status, headers } = await get(path, { ...wait(1), ...(token && { token }) })
    assert.equal(status, 202)
    return headers.get('preference-applied') === null
  }
  const [first] = [hold(), hold()]
  await until('the token has its quota', () => isRejected())
  // One more request of another token is within the limit of the team, and a second is not.
  const others = [(await fixtures.token(team)).secret, (await fixtures.token(team)).secret] as const
  hold(others[0])
  await until('the team has its quota', () => isRejected(others[1]))
  first.leave()
  await until('there is room again', async () => !(await isRejected()))
})

/** Resolves when this number of requests has arrived. */
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
