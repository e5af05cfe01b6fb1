import assert from 'node:assert/strict'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { until } from '../../testing/until.ts'
import { FOLLOW_TIMING, type FollowEvent, findDueTime, followFolder } from './follow-folder.ts'
import { watchFolder } from './watch-folder.ts'

const TIMING = { quietMs: 20, maxWaitMs: 2000, retryMs: 20, checkMs: 50, completeMs: 600_000 }

/** Follows a folder until the end of the test. */
async function follow(
  t: TestContext,
  {
    pollMs,
    run = async () => {},
  }: { pollMs?: number; run?: (isChanging: (path: string) => boolean) => Promise<void> } = {},
) {
  const outer = await createFolder(t, { 'files/a.gh': 'a', 'files/deep/b.gh': 'b' })
  const path = join(outer, 'files')
  const stop = new AbortController()
  const events: FollowEvent[] = []
  let runs = 0
  let running = 0
  const followed = followFolder(
    {
      path,
      pollMs,
      signal: stop.signal,
      isRelevant: (name) => name.endsWith('.gh'),
      async run(isChanging) {
        assert.equal(++running, 1, 'two runs at once')
        await run(isChanging).finally(() => running--)
        runs++
      },
      notify: (event) => events.push(event),
    },
    TIMING,
  )
  atEnd(t, async () => {
    stop.abort()
    await followed
  })
  const nextRun = async (change: () => Promise<unknown>) => {
    const before = runs
    await change()
    await until('it runs again', async () => runs > before)
  }
  const reported = (event: FollowEvent['event'], count = 1) =>
    until(`${count} × ${event}`, async () => events.filter((one) => one.event === event).length >= count)
  await Promise.race([reported('watching'), followed])
  return { path, outer, events, followed, stop, nextRun, reported, runs: () => runs }
}

describe('following a folder', () => {
  test('[MIR-7] given a folder that is followed, when files are saved, created in new folders, moved and deleted, then each change is followed by a run', async (t) => {
    const { path, nextRun, events } = await follow(t)
    assert.deepEqual(events, [{ event: 'watching', by: 'events' }])
    await nextRun(async () => {
      // As Rhino saves.
      await writeFile(join(path, 'deep/b.tmp'), 'new')
      await rename(join(path, 'deep/b.gh'), join(path, 'deep/b.bak'))
      await rename(join(path, 'deep/b.tmp'), join(path, 'deep/b.gh'))
    })
    await nextRun(async () => {
      await mkdir(join(path, 'new/folders'), { recursive: true })
      await writeFile(join(path, 'new/folders/c.gh'), 'c')
    })
    await nextRun(() => writeFile(join(path, 'new/folders/c.gh'), 'changed'))
    await nextRun(() => rename(join(path, 'new'), join(path, 'deep/moved')))
    await nextRun(() => writeFile(join(path, 'deep/moved/folders/c.gh'), 'again'))
    await nextRun(() => rm(join(path, 'deep'), { recursive: true }))
  })

  test('[MIR-7] given files of other kinds and hidden ones, when they change, then nothing is reported', async (t) => {
    const path = await createFolder(t, { 'a.gh': 'a' })
    const changed = new Set<string>()
    await using _ = await watchFolder({
      path,
      pollMs: undefined,
      isRelevant: (name) => name.endsWith('.gh'),
      onChange: (one) => changed.add(one),
      onFailure: () => assert.fail(),
    })
    await mkdir(join(path, '.git'))
    await writeFile(join(path, '.git/a.gh'), 'a')
    await writeFile(join(path, 'a.bak'), 'a')
    await writeFile(join(path, 'a.gh'), 'changed')
    await until('the change is reported', async () => changed.has('a.gh'))
    assert.deepEqual([...changed], ['a.gh'])
  })

  test('[MIR-8] given a run that takes long, when a file changes meanwhile, then the run knows, and another one follows after it', async (t) => {
    const begun = Promise.withResolvers<void>()
    let attempts = 0
    const { path, runs } = await follow(t, {
      async run(isChanging) {
        if (++attempts !== 2) return
        begun.resolve()
        await until('the change is known', async () => isChanging('deep/b.gh'))
        assert.equal(isChanging('other.gh'), false)
      },
    })
    await writeFile(join(path, 'a.gh'), 'changed')
    await begun.promise
    await writeFile(join(path, 'deep/b.gh'), 'changed')
    await until('it runs for the second change', async () => runs() >= 3)
  })

  test('[MIR-9] given a folder that is away for a while, when it is back, then this was reported once, nothing ran meanwhile, and changes are followed again', async (t) => {
    const { path, outer, events, nextRun, reported, runs } = await follow(t)
    await rename(path, join(outer, 'away'))
    await reported('waiting')
    const before = runs()
    await rename(join(outer, 'away'), path)
    await reported('resumed')
    assert.equal(runs(), before + 1)
    await nextRun(() => writeFile(join(path, 'deep/b.gh'), 'changed'))
    const [, waiting] = events
    assert.deepEqual(waiting, { event: 'waiting', reason: `"${path}" cannot be read: it does not exist.` })
    assert.deepEqual(
      events.map(({ event }) => event),
      ['watching', 'waiting', 'resumed'],
    )
  })

  test('[MIR-9] given another folder that takes the place of the folder, as when a drive is mounted, when files in it change, then they are followed', async (t) => {
    const { path, outer, nextRun } = await follow(t)
    await mkdir(join(outer, 'other/deep'), { recursive: true })
    await nextRun(async () => {
      await rename(path, join(outer, 'away'))
      await rename(join(outer, 'other'), path)
    })
    await nextRun(() => writeFile(join(path, 'deep/c.gh'), 'c'))
  })

  test('[MIR-9] given runs that fail, when they fail for the same reason, then it is reported once, and they are repeated until one succeeds', async (t) => {
    let attempts = 0
    const { events } = await follow(t, {
      async run() {
        if (++attempts <= 3) throw new Error('the database is away')
        if (attempts === 4) throw new Error('the disk is full')
      },
    })
    assert.equal(attempts, 5)
    assert.deepEqual(events, [
      { event: 'waiting', reason: 'The database is away.' },
      { event: 'waiting', reason: 'The disk is full.' },
      { event: 'resumed' },
      { event: 'watching', by: 'events' },
    ])
  })

  test('[MIR-10] given a folder that is polled, when files change, then each change is followed by a run', async (t) => {
    const { path, nextRun, events } = await follow(t, { pollMs: 30 })
    assert.deepEqual(events, [{ event: 'watching', by: 'polling', everyMs: 30 }])
    await nextRun(() => writeFile(join(path, 'deep/b.gh'), 'changed'))
    await nextRun(async () => {
      await mkdir(join(path, 'new'))
      await writeFile(join(path, 'new/c.gh'), 'c')
    })
    await nextRun(() => rm(join(path, 'new'), { recursive: true }))
  })
})

test('[MIR-7] given several changes, then the next run is due when it is quiet, at the latest after a while, and not at once after a long run', () => {
  const changed = { firstAt: 0, lastAt: 500, pollMs: 0, runMs: 0, runEndedAt: 0 }
  assert.equal(findDueTime(changed, FOLLOW_TIMING), 1500)
  assert.equal(findDueTime({ ...changed, lastAt: 29_900 }, FOLLOW_TIMING), 30_000)
  assert.equal(findDueTime({ ...changed, runMs: 8000, runEndedAt: 400 }, FOLLOW_TIMING), 8400)
  assert.equal(findDueTime({ ...changed, runMs: 600_000, runEndedAt: 400 }, FOLLOW_TIMING), 30_400)
  // A file that grows is another one at each look.
  assert.equal(findDueTime({ ...changed, pollMs: 10_000 }, FOLLOW_TIMING), 11_500)
})
