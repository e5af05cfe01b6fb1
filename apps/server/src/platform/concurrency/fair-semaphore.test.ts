import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairSemaphore, type Permit, SemaphoreFullError } from './fair-semaphore.ts'

const OPTIONS = { maxWaiting: [1000], maxWaitMs: 60_000 }

/** Everything that is due has happened. */
const settled = () => new Promise(setImmediate)

test('given a limit that is reached, when a permit is tried for, then there is none, and one again after a release', () => {
  const semaphore = new FairSemaphore({ ...OPTIONS, limits: [3, 2] })
  const held = semaphore.tryAcquire(['a'], 2)!
  assert.equal(semaphore.tryAcquire(['a']), undefined)
  assert.ok(semaphore.tryAcquire(['b'], 5) === undefined)
  held.release()
  assert.ok(semaphore.tryAcquire(['b'], 5))
  assert.equal(semaphore.held, 2)
})

test('given room at every level, when it is acquired, then it is held at once, without a promise', () => {
  const semaphore = new FairSemaphore({ ...OPTIONS, limits: [2, 1] })
  const permit = semaphore.acquire(['a'])
  assert.ok(!(permit instanceof Promise))
  assert.equal(semaphore.held, 1)
  permit.release()
  permit.release()
  assert.equal(semaphore.held, 0)
})

test('given a group with a thousand waiting callers, when one of another group comes, then it is next', async () => {
  const semaphore = new FairSemaphore({ ...OPTIONS, limits: [1] })
  const first = semaphore.acquire(['busy']) as Permit
  const order: string[] = []
  const wait = async (team: string, caller: string) => {
    const permit = await semaphore.acquire([team, caller])
    order.push(`${team} ${caller}`)
    permit.release()
  }
  const waiting = Array.from({ length: 999 }, (_, i) => wait('busy', `caller ${i % 2}`))
  waiting.push(wait('quiet', 'only'))
  first.release()
  await Promise.all(waiting)
  assert.ok(order.indexOf('quiet only') <= 1)
  assert.deepEqual(order.slice(2, 6).toSorted(), [
    'busy caller 0',
    'busy caller 0',
    'busy caller 1',
    'busy caller 1',
  ])
})

test('given a group that has all it may hold, when others come, then they pass', async () => {
  const semaphore = new FairSemaphore({ ...OPTIONS, limits: [3, 1] })
  const held = semaphore.acquire(['a']) as Permit
  const waiting = semaphore.acquire(['a'])
  assert.ok(waiting instanceof Promise)
  assert.ok(!(semaphore.acquire(['b']) instanceof Promise))
  assert.equal(semaphore.waiting, 1)
  held.release()
  await waiting
  assert.equal(semaphore.waiting, 0)
})

test('given a weight beyond the limits of its groups, then it takes the whole share of the smallest, and others pass', async () => {
  const semaphore = new FairSemaphore({ ...OPTIONS, limits: [10, 5] })
  const heavy = semaphore.acquire(['a'], { weight: 100 }) as Permit
  assert.equal(semaphore.held, 5)
  assert.ok(!(semaphore.acquire(['b'], { weight: 5 }) instanceof Promise))
  const light = semaphore.acquire(['a'])
  assert.ok(light instanceof Promise)
  heavy.release()
  ;(await light).release()
  assert.equal(semaphore.held, 5)
})

test('given a heavy request that waits, when light ones come behind it, then they do not keep it waiting forever', async () => {
  const semaphore = new FairSemaphore({ ...OPTIONS, limits: [10] })
  const held = [1, 2, 3].map(() => semaphore.acquire(['a'], { weight: 3 }) as Permit)
  const order: string[] = []
  const heavy = (async () => {
    await semaphore.acquire(['a'], { weight: 9 })
    order.push('heavy')
  })()
  const light = (async () => {
    const permit = await semaphore.acquire(['b'])
    order.push('light')
    permit.release()
  })()
  for (const permit of held) {
    permit.release()
    await settled()
  }
  await Promise.all([heavy, light])
  assert.equal(order[0], 'heavy')
})

test('given a caller that goes another way when it has waited, then its refusal is not counted', async () => {
  const semaphore = new FairSemaphore({ limits: [1], maxWaiting: [1], maxWaitMs: 60_000 })
  const held = semaphore.acquire(['a']) as Permit
  const waiting = semaphore.acquire(['a'], { trialMs: 1 }) as Promise<Permit>
  const refused = semaphore.acquire(['a'], { trialMs: 1 }) as Promise<Permit>
  for (const one of [refused, waiting]) await assert.rejects(one, SemaphoreFullError)
  assert.deepEqual(semaphore.refusals, [0])
  held.release()
  assert.equal(semaphore.held, 0)
})

test('given a full queue, then the error names the limit that was reached', async () => {
  const semaphore = new FairSemaphore({
    limits: [2, 1],
    maxWaiting: [2, 1],
    maxWaitMs: 60_000,
  })
  const permits = [semaphore.acquire(['a']), semaphore.acquire(['b'])] as Permit[]
  const waiting = [semaphore.acquire(['a']), semaphore.acquire(['c'])]
  const levelOf = (path: string[]) =>
    (semaphore.acquire(path) as Promise<Permit>).then(
      () => assert.fail('granted'),
      (error: unknown) => {
        assert.ok(error instanceof SemaphoreFullError)
        return error.level
      },
    )
  assert.equal(await levelOf(['a']), 1)
  assert.equal(await levelOf(['b']), 1)
  assert.equal(await levelOf(['d']), 0)
  for (const permit of permits) permit.release()
  for (const permit of await Promise.all(waiting)) permit.release()
  assert.equal(semaphore.held, 0)
})

test('given a queue that others fill who wait for their own share, when there is room for another group, then it passes', async () => {
  const semaphore = new FairSemaphore({
    limits: [3, 1],
    maxWaiting: [1, 1],
    maxWaitMs: 60_000,
  })
  const held = semaphore.acquire(['a']) as Permit
  const waiting = semaphore.acquire(['a'])
  assert.ok(!(semaphore.acquire(['b']) instanceof Promise))
  held.release()
  await waiting
})

test('given a wait that is too long, or ended by its signal, then it fails, and the next one is served', async () => {
  const semaphore = new FairSemaphore({ ...OPTIONS, limits: [4, 4], maxWaitMs: 20 })
  const held = semaphore.acquire(['a'], { weight: 3 }) as Permit
  const reason = new Error('gone')
  const leaving = new AbortController()
  const first = semaphore.acquire(['a'], { weight: 4, signal: leaving.signal }) as Promise<Permit>
  const second = semaphore.acquire(['a'])
  assert.ok(second instanceof Promise)
  leaving.abort(reason)
  await assert.rejects(first, reason)
  await second
  await assert.rejects(semaphore.acquire(['a'], { weight: 2 }) as Promise<Permit>, { level: 1 })
  await assert.rejects(
    semaphore.acquire(['a'], { weight: 2, signal: leaving.signal }) as Promise<Permit>,
    reason,
  )
  held.release()
  held.release()
})

test('given any use, then no limit is ever passed, nothing is lost, and each who waits is served', async () => {
  const step = fc.record({
    path: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')),
    weight: fc.integer({ min: 1, max: 6 }),
    releases: fc.integer({ min: 0, max: 3 }),
    aborts: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const limits = [7, 5, 3] as const
      const semaphore = new FairSemaphore({ ...OPTIONS, limits })
      const held: { path: string[]; weight: number; permit: Permit }[] = []
      const leaving = new AbortController()
      const waiting: Promise<void>[] = []
      const check = () => {
        for (const [level, limit] of limits.entries()) {
          for (const group of Map.groupBy(held, ({ path }) => path.slice(0, level).join('/')).values()) {
            const sum = group.reduce((all, { weight }) => all + Math.min(weight, ...limits), 0)
            assert.ok(sum <= limit, `level ${level}: ${sum}`)
          }
        }
      }
      const hold = (path: string[], weight: number, permit: Permit) => {
        held.push({ path, weight, permit })
        check()
      }
      for (const { path, weight, releases, aborts } of steps) {
        const signal = aborts ? { signal: leaving.signal } : {}
        const permit = semaphore.acquire(path, { weight, ...signal })
        if (permit instanceof Promise) {
          waiting.push(
            permit.then(
              (granted) => hold(path, weight, granted),
              () => {},
            ),
          )
        } else hold(path, weight, permit)
        for (let i = 0; i < releases; i++) held.shift()?.permit.release()
        await settled()
      }
      leaving.abort()
      for (;;) {
        await settled()
        const next = held.shift()
        if (!next) break
        next.permit.release()
      }
      await Promise.all(waiting)
      assert.deepEqual([semaphore.held, semaphore.waiting], [0, 0])
    }),
  )
})
