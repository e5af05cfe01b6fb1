import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairSemaphore, type Permit, SemaphoreFullError } from '../../platform/concurrency/fair-semaphore.ts'
import { createBorrowedPermits } from './borrowed-permits.ts'
import { lendPermits } from './lent-permits.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Readers that share a semaphore of the main process; every message takes a turn of the event loop. */
function share(
  readers: number,
  {
    limits,
    maxWaiting = [1000, 1000, 1000],
    maxWaitMs = 60_000,
  }: {
    limits: readonly number[]
    maxWaiting?: readonly number[]
    maxWaitMs?: number
  },
) {
  const semaphore = new FairSemaphore({ limits, maxWaiting, maxWaitMs })
  const unused = new FairSemaphore({ limits: [1], maxWaiting: [1], maxWaitMs })
  const borrowers: ReturnType<typeof createBorrowedPermits>[] = []
  const resources = { requests: semaphore, responses: unused, files: unused }
  const lend = lendPermits({ resources }, () => {
    for (const borrower of borrowers) setImmediate(borrower.recall)
  })
  const loans = Array.from({ length: readers }, () => {
    const loan = lend()
    borrowers.push(
      createBorrowedPermits({
        async acquire(request) {
          await tick()
          const result = await loan.acquire(request)
          await tick()
          return result
        },
        release: (permit) => void setImmediate(loan.release, permit),
        abandon: (permit) => void setImmediate(loan.abandon, permit),
      }),
    )
    return loan
  })
  return { semaphore, borrowers, loans }
}

test('[READ-5] given any requests in several readers, when they take permits, then the limits of caller, team and process hold in sum, and every request gets its turn', async () => {
  const request = fc.record({
    reader: fc.nat(2),
    team: fc.constantFrom('a', 'b'),
    caller: fc.constantFrom('x', 'y'),
    ticks: fc.nat(6),
    startsAfter: fc.nat(12),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 40 }), async (requests) => {
      const { borrowers, semaphore } = share(3, { limits: [4, 3, 2] })
      const running = new Map<string, number>()
      const add = (key: string, by: number, limit: number) => {
        const now = (running.get(key) ?? 0) + by
        running.set(key, now)
        assert.ok(now <= limit, `${now} of ${key}`)
      }
      await Promise.all(
        requests.map(async ({ reader, team, caller, ticks, startsAfter }) => {
          for (let i = 0; i < startsAfter; i++) await tick()
          const permit = await borrowers[reader]!.acquire('requests', [team, caller])
          const levels: [string, number][] = [
            ['', 4],
            [team, 3],
            [`${team} ${caller}`, 2],
          ]
          for (const [key, limit] of levels) add(key, 1, limit)
          for (let i = 0; i < ticks; i++) await tick()
          for (const [key, limit] of levels) add(key, -1, limit)
          permit.release()
        }),
      )
      // Permits may be on their way to requests that have had another one.
      for (let i = 0; i < 10; i++) {
        for (const borrower of borrowers) borrower.recall()
        await tick()
      }
      assert.deepEqual([semaphore.held, semaphore.waiting], [0, 0])
    }),
    { numRuns: 60 },
  )
})

test('[READ-5] given a permit that one reader keeps, when a request of another reader waits for it, then it is given back', async () => {
  const {
    borrowers: [first, second],
  } = share(2, { limits: [1] })
  ;(await first!.acquire('requests', ['a', 'x'])).release()
  const held = first!.acquire('requests', ['a', 'x'])
  assert.ok(!(held instanceof Promise), 'it was kept')
  const waiting = second!.acquire('requests', ['b', 'y'])
  await tick()
  held.release()
  ;(await waiting).release()
})

test('[READ-5] given a full queue, when a request of a reader would wait, then it is refused with the level of the limit', async () => {
  const {
    borrowers: [first, second],
  } = share(2, { limits: [9, 1], maxWaiting: [9, 0] })
  const held = await first!.acquire('requests', ['a', 'x'])
  await assert.rejects(async () => second!.acquire('requests', ['a', 'y']), new SemaphoreFullError(1))
  held.release()
})

test('[READ-5] given a request that waits, when its client disconnects, then it leaves the queue', async () => {
  const {
    borrowers: [first, second],
    semaphore,
  } = share(2, { limits: [1] })
  const held = await first!.acquire('requests', ['a', 'x'])
  const gone = new AbortController()
  const waiting = Promise.resolve(second!.acquire('requests', ['a', 'x'], { signal: gone.signal }))
  while (semaphore.waiting === 0) await tick()
  gone.abort(new Error('gone'))
  await assert.rejects(waiting, { message: 'gone' })
  while (semaphore.waiting > 0) await tick()
  held.release()
})

test('[READ-8] given a reader that holds permits and waits for others, when it ends, then others get them', async () => {
  const {
    borrowers: [first, second],
    loans,
    semaphore,
  } = share(2, { limits: [1] })
  await first!.acquire('requests', ['a', 'x'])
  const lost = first!.acquire('requests', ['a', 'x'])
  void Promise.resolve(lost).catch(() => {})
  while (semaphore.waiting === 0) await tick()
  loans[0]!.end()
  const permit: Permit = await second!.acquire('requests', ['b', 'y'])
  permit.release()
})
