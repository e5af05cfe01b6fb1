import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { JobFailure, readUsage } from '@meadow/processes'
import { atEnd, createSuiteScope, type TestScope } from '../../testing/at-end.ts'
import { isAlive, listChildren, noProc } from '../../testing/child-processes.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { until } from '../../testing/until.ts'
import { DEFAULT_POOL_LIMITS, toPoolOptions } from './pool-limits.ts'
import { openProcessPool, type PoolOptions } from './process-pool.ts'
import type { HostileRequest, MemoryTaker } from './testing/hostile-job.ts'

const MODULE = new URL('./testing/hostile-job.ts', import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: each request has a result of another shape.
type Result = any

function openPool(t: TestScope, options: Partial<PoolOptions> = {}) {
  const limits = { cpuMs: 60_000, heapMb: 64, otherMb: 128, ...options.limits }
  const pool = openProcessPool<HostileRequest, Result>({
    name: 'hostile',
    module: MODULE,
    processes: 1,
    ...options,
    limits,
  })
  atEnd(t, async () => pool[Symbol.asyncDispose]())
  const run = (request: HostileRequest, signal?: AbortSignal) =>
    pool.run(request, { group: 'a', ...(signal && { signal }) })
  const echo = (length = 1) => run({ do: 'echo', bytes: new Uint8Array(length) })
  const fail = (request: HostileRequest): Promise<JobFailure> =>
    run(request).then(
      (response) => assert.fail(`It answered ${JSON.stringify(response)}.`),
      (error) => {
        assert.ok(error instanceof JobFailure, String(error))
        return error
      },
    )
  return { pool, run, echo, fail }
}

test('[PRC-1] given jobs, when they are done one after the other, then one warm process does them, and large bytes arrive whole', async (t) => {
  const { run, echo } = openPool(t)
  const first = await echo()
  const bytes = crypto.getRandomValues(new Uint8Array(65_536))
  const large = new Uint8Array(8 * 2 ** 20)
  for (let start = 0; start < large.length; start += bytes.length) large.set(bytes, start)
  const second = await run({ do: 'echo', bytes: large })
  assert.deepEqual([second.pid, second.jobs], [first.pid, 2])
  assert.ok(Buffer.from(large).equals(second.bytes))
})

test('[PRC-2] given an endless loop, when it has used its processor time, then it fails and reports where it was, and the next job has a fresh process', async (t) => {
  const { echo, fail } = openPool(t, { limits: { cpuMs: 300, heapMb: 64 } })
  const { pid } = await echo()
  const { kind, message, place, cpuMs } = await fail({ do: 'loop' })
  assert.deepEqual([kind, message, place], ['time', 'It took longer than 0.3 s.', 'in a loop'])
  // That is what ended it.
  assert.ok(cpuMs > 300, `${cpuMs}`)
  assert.notEqual((await echo()).pid, pid)
  assert.equal(isAlive(pid), false)
})

test('[PRC-2] given a loop that notes where it is all the time, when it is ended, then the last note is reported', async (t) => {
  const { fail } = openPool(t, { limits: { cpuMs: 300, heapMb: 64 } })
  assert.match((await fail({ do: 'count' })).place, /^at the next$/)
})

const TAKERS: MemoryTaker[] = [
  'one list',
  'many values',
  'texts that double',
  'buffers',
  'a buffer that is too large',
  'WebAssembly',
]
describe('jobs that take all memory', () => {
  // What fails in one leaves a fresh process for the next.
  const { echo, fail } = openPool(createSuiteScope())
  for (const by of TAKERS) {
    test(`[PRC-3] given a job that takes all memory by ${by}, when it passes its limit, then it alone fails, and its process is gone`, async () => {
      const { pid } = await echo()
      const { kind, message, place } = await fail({ do: 'takeMemory', by })
      assert.deepEqual([kind, message], ['memory', 'It took more than 64 MB of memory.'])
      assert.equal(place, `taking memory by ${by}`)
      assert.equal(isAlive(pid), false)
      assert.equal((await echo()).jobs, 1)
    })
  }
})

test('[PRC-4] given a process that gets no processor time for longer than its limit, when it goes on, then its job succeeds', {
  skip: noProc,
}, async (t) => {
  const { run, echo } = openPool(t, { limits: { cpuMs: 300, heapMb: 64 } })
  const { pid } = await echo()
  const asleep = run({ do: 'sleep', ms: 100 })
  process.kill(pid, 'SIGSTOP')
  await sleep(900)
  process.kill(pid, 'SIGCONT')
  assert.deepEqual(await asleep, { pid })
})

test('[PRC-5] given a job that throws, then it fails with what it threw, and the next one has a fresh process', async (t) => {
  const { echo, fail } = openPool(t)
  const { pid } = await echo()
  const { kind, message, code } = await fail({ do: 'throw' })
  assert.deepEqual([kind, message, code], ['threw', 'no room', 'ENOSPC'])
  assert.notEqual((await echo()).pid, pid)
})

test('[PRC-5] given a process that dies, then its job fails, and what it printed is one short line', async (t) => {
  const { fail } = openPool(t)
  const died = await fail({ do: 'die' })
  assert.deepEqual([died.kind, died.message], ['crashed', 'Its process ended unexpectedly.'])
  assert.equal(died.place, 'about to die')
  assert.ok(died.detail.length < 5000 && !died.detail.includes('\n'), died.detail)
})

/** Kills the next process of these that is found with another id. */
async function killNext(before?: number): Promise<number> {
  const found = await until('there is a process to kill', async () =>
    listChildren('hostile-job').find(({ pid }) => pid !== before),
  )
  process.kill(found.pid, 'SIGKILL')
  return found.pid
}

test('[PRC-13] given a process that is killed from outside, then its job is run once more, and fails when that process is killed too', {
  skip: noProc,
}, async (t) => {
  const { run, echo, pool } = openPool(t)
  const repeated = run({ do: 'sleep', ms: 1000 })
  const first = await killNext()
  assert.notEqual((await repeated).pid, first)
  const failed = assert.rejects(run({ do: 'sleep', ms: 600_000 }), {
    kind: 'killed',
    detail: 'signal SIGKILL',
  })
  await killNext(await killNext())
  await failed
  assert.equal((await echo()).jobs, 1)
  // What it has reported may have been used already.
  const onReport = () => {}
  const reported = assert.rejects(pool.run({ do: 'sleep', ms: 600_000 }, { group: 'a', onReport }), {
    kind: 'killed',
  })
  await killNext()
  await reported
})

test('[PRC-6] given a process, then it has no environment of ours, and can read, write and start nothing beside its job and its cache of compiled code', async (t) => {
  const secretFile = join(await createFolder(t), 'secret')
  await writeFile(secretFile, 'secret')
  const { run } = openPool(t, { setup: { secretFile } })
  const { environment, folder, cache, ...attempts } = await run({ do: 'lookAround' })
  assert.deepEqual(
    environment.filter((name: string) => !/^(NODE_COMPILE_CACHE|NODE_CHANNEL_.*)$/.test(name)),
    [],
  )
  assert.notEqual(folder, process.cwd())
  // It is written while the process lives, which is always killed in the end.
  assert.notDeepEqual(readdirSync(cache), [])
  assert.deepEqual(attempts, {
    reads: 'ERR_ACCESS_DENIED',
    writes: 'ERR_ACCESS_DENIED',
    starts: 'ERR_ACCESS_DENIED',
  })
})

test('[PRC-7] given an owner that is killed within an endless job, then its child ends too', {
  skip: noProc,
}, async (t) => {
  const owner = spawn(
    process.execPath,
    [fileURLToPath(new URL('./testing/owner.ts', import.meta.url)), MODULE.href],
    {
      stdio: 'ignore',
    },
  )
  atEnd(t, () => void owner.kill('SIGKILL'))
  const child = await until('the job loops', async () =>
    listChildren('hostile-job', owner.pid).find(({ cpuMs }) => cpuMs > 500),
  )
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await until('the child is gone', async () => !isAlive(child.pid))
})

test('[PRC-12] given Ctrl-C in the terminal, which reaches every process, when a job is under way, then it goes on', async (t) => {
  const { run, echo } = openPool(t)
  const { pid } = await echo()
  const sleeper = run({ do: 'sleep', ms: 100 })
  process.kill(pid, 'SIGINT')
  assert.equal((await sleeper).pid, pid)
  assert.equal((await echo()).pid, pid)
})

test('[PRC-8] given groups that wait, when there is one process, then they are served in turn', async (t) => {
  const { pool } = openPool(t)
  const first = await pool.acquire({ group: 'a' })
  const served: string[] = []
  const jobs = ['a1', 'a2', 'a3', 'b1'].map(async (name) => {
    using _ = await pool.acquire({ group: name[0]! })
    served.push(name)
  })
  first[Symbol.dispose]()
  await Promise.all(jobs)
  assert.ok(served.indexOf('b1') <= 1, served.join())
})

test('[PRC-8] given limits of a kind of jobs, when a team has all but one process, then it waits and others pass; when too many wait, then rejected', async (t) => {
  const limits = { ...DEFAULT_POOL_LIMITS.bodies, maxWaiting: { team: 1, process: 2 } }
  const { pool } = openPool(t, toPoolOptions(limits, {}))
  const first = await pool.acquire({ group: 'a' })
  const second = pool.acquire({ group: 'a' })
  await assert.rejects(pool.acquire({ group: 'a' }), { name: 'SemaphoreFullError', level: 1 })
  const other = await pool.acquire({ group: 'b' })
  const third = pool.acquire({ group: 'c' })
  await assert.rejects(pool.acquire({ group: 'd' }), { name: 'SemaphoreFullError', level: 0 })
  first[Symbol.dispose]()
  other[Symbol.dispose]()
  for (const turn of await Promise.all([second, third])) turn[Symbol.dispose]()
})

test('[PRC-9] given a process without a job for a while, then it is ended', async (t) => {
  const { echo } = openPool(t, { idleMs: 50 })
  const { pid } = await echo()
  await until('it is gone', async () => !isAlive(pid))
  assert.notEqual((await echo()).pid, pid)
})

test('[PRC-9] given a process that holds much memory after its job, then it is ended sooner', async (t) => {
  const limits = { cpuMs: 60_000, heapMb: 64, otherMb: 512, retainedMb: 512 }
  const { echo, run } = openPool(t, { limits, idleMs: 600_000, spareIdleMs: 50 })
  const { pid } = await run({ do: 'keep', megabytes: 300 })
  await until('it is gone', async () => !isAlive(pid))
  assert.notEqual((await echo()).pid, pid)
})

test('[PRC-9] given two idle processes, then one of them stays warm', async (t) => {
  const { echo, run } = openPool(t, { processes: 2, idleMs: 600_000, spareIdleMs: 50 })
  const [one, other] = await Promise.all([run({ do: 'sleep', ms: 300 }), run({ do: 'sleep', ms: 300 })])
  assert.notEqual(one.pid, other.pid)
  await until('one of them is gone', async () => !isAlive(one.pid) || !isAlive(other.pid))
  const { pid } = await echo()
  assert.ok(pid === one.pid || pid === other.pid)
})

test('[PRC-9] given a job that leaves garbage, when no other follows at once, then its memory is given back and the process stays', {
  skip: noProc,
}, async (t) => {
  const limits = { cpuMs: 60_000, heapMb: 512, otherMb: 512, retainedMb: 512 }
  const { echo, run } = openPool(t, { limits, idleMs: 600_000 })
  const { pid } = await echo()
  const before = (await readUsage(pid))!.residentBytes
  await run({ do: 'litter', megabytes: 300 })
  await until(
    'its memory is given back',
    async () => (await readUsage(pid))!.residentBytes < before + 64 * 2 ** 20,
  )
  assert.equal((await echo()).pid, pid)
})

test('[PRC-10] given a job that leaves memory behind, then the next one is not blamed for it', async (t) => {
  const { run } = openPool(t, { limits: { cpuMs: 60_000, heapMb: 64, otherMb: 128, retainedMb: 64 } })
  const pids = new Set<number>()
  for (let i = 0; i < 4; i++) pids.add((await run({ do: 'keep', megabytes: 100 })).pid)
  assert.equal(pids.size, 4)
})

test('[PRC-11] given a job under way, when its signal is raised, then it is ended; when the pool is closed, then all are', async (t) => {
  const { pool, run, echo } = openPool(t)
  const { pid } = await echo()
  const stop = new AbortController()
  const reason = new Error('not wanted any more')
  const stopped = assert.rejects(run({ do: 'loop' }, stop.signal), reason)
  setImmediate(() => stop.abort(reason))
  await stopped
  assert.equal(isAlive(pid), false)
  const jobs = [run({ do: 'loop' }), run({ do: 'loop' })].map((job) => assert.rejects(job, /is stopping/))
  setImmediate(() => pool[Symbol.asyncDispose]())
  await Promise.all(jobs)
  await assert.rejects(echo(), /is stopping/)
})
