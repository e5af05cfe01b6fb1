import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { numbers } from '../../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { Meadow, NotFound, NotSolved, SolveFailed, TimedOut } from './index.ts'

/** A client whose every answer of 202 is told of. */
async function startWaiting(t: TestContext) {
  const server = await startSolutions(t)
  const asked = Promise.withResolvers<Headers>()
  let requests = 0
  const fetch: typeof globalThis.fetch = (input, init) => {
    requests++
    asked.resolve(new Headers(init!.headers))
    return globalThis.fetch(input, init)
  }
  const meadow = new Meadow({ baseUrl: server.address, token: server.secret, fetch })
  return { ...server, meadow, asked: asked.promise, requests: () => requests }
}

describe('waiting for a solution', () => {
  test('[SDK-35] given a solve that runs, when it succeeds, then the one request that waited for it has the solution', async (t) => {
    const { meadow, document, run, solveLeased, asked, requests } = await startWaiting(t)
    const id = await document(numbers())
    const lease = await run(id)
    const waiting = meadow.waitForSolution(id)
    assert.equal((await asked).get('prefer'), 'wait=30')
    const solutionId = await solveLeased(lease)
    assert.equal((await waiting).data.solutionId, solutionId)
    assert.equal(requests(), 1)
    assert.equal((await meadow.waitForSolution(id)).data.solutionId, solutionId)
  })

  test('[SDK-36] given a document that was never solved, one whose solve fails, and none, when its solution is waited for, then the error comes at once', async (t) => {
    const { meadow, document, run, failLeased, asked } = await startWaiting(t)
    await assert.rejects(meadow.waitForSolution('doc_none'), NotFound)
    const id = await document(numbers())
    await assert.rejects(meadow.waitForSolution(id), NotSolved)
    const lease = await run(id)
    const waiting = meadow.waitForSolution(id)
    await asked
    await failLeased(lease, 'For a test.')
    await assert.rejects(waiting, SolveFailed)
  })

  test('[SDK-37] given a solve that goes on, when the time is up or the signal aborted, then the wait ends', async (t) => {
    const { meadow, document, run, requests, asked } = await startWaiting(t)
    const id = await document(numbers())
    await run(id)
    await assert.rejects(meadow.waitForSolution(id, { timeoutMs: 50 }), (error) => {
      assert.ok(error instanceof TimedOut)
      assert.equal(error.message, `Waiting for the solution of ${id} took longer than 0.05 s.`)
      return true
    })
    assert.equal(requests(), 1)
    await asked
    const controller = new AbortController()
    const waiting = meadow.waitForSolution(id, { signal: controller.signal })
    controller.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
  })
})
