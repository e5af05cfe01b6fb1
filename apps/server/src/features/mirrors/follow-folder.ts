import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWakeSignal } from '../../platform/concurrency/wake-signal.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { type FolderWatch, type WatchMode, type WatchRequest, watchFolder } from './watch-folder.ts'

export interface FollowRequest extends Pick<WatchRequest, 'path' | 'pollMs' | 'isRelevant'> {
  /** Ends the following after the current run. */
  signal: AbortSignal
  /** A complete run. `isChanging`: whether the file has changed since the run began, so that another run follows. */
  run(isChanging: (path: string) => boolean): Promise<void>
  notify(event: FollowEvent): void
}

export type FollowEvent =
  /** Changes are followed from now on. */
  | ({ event: 'watching' } & WatchMode)
  /** A run was not possible; it is tried again until it is. Reported once for each reason, which is a sentence. */
  | { event: 'waiting'; reason: string }
  /** The first run that was possible after `waiting`. */
  | { event: 'resumed' }

/** The times that govern when a folder is imported again, in milliseconds. */
export interface FollowTiming {
  /** How long nothing may change before a run: a save in Rhino is several changes, such as renames and a backup. */
  quietMs: number
  /** A folder in which something changes all the time is read after this long. */
  maxWaitMs: number
  /** The pause between two attempts, when a run was not possible. */
  retryMs: number
  /** How often to look whether the folder is still the same one: the system does not report that a drive is unmounted. */
  checkMs: number
  /** How often to run without a reported change: the system drops reports when there are too many. */
  completeMs: number
}

export const FOLLOW_TIMING: FollowTiming = {
  quietMs: 1000,
  maxWaitMs: 30_000,
  retryMs: 2000,
  checkMs: 5000,
  completeMs: 10 * 60_000,
}

/**
 * Runs, and runs again after each change in the folder, one run after the other, until the signal aborts. Changes during a
 * run cause another one. A run that throws is repeated until it is possible: the folder may be on a drive that is away, or
 * the database unavailable.
 */
export async function followFolder(request: FollowRequest, timing = FOLLOW_TIMING): Promise<void> {
  const { path, signal, run, notify } = request
  const wake = createWakeSignal()
  const changes = createChangedPaths()
  let watch: FolderWatch | undefined
  /** Whether the watch has to be opened again. */
  let isStale = false
  let root = ''
  let runMs = 0
  let runEndedAt = 0
  let announced: string | undefined
  let trouble: string | undefined

  async function closeWatch(): Promise<void> {
    await watch?.[Symbol.asyncDispose]()
    watch = undefined
  }

  const openWatch = () =>
    watchFolder({
      ...request,
      onChange(changed) {
        changes.add(changed)
        wake.wake()
      },
      onFailure() {
        isStale = true
        wake.wake()
      },
    })

  async function runOnce(): Promise<void> {
    const found = await readRoot(path)
    if (found !== root || isStale) await closeWatch()
    root = found
    isStale = false
    // Opened before the run, so that no change is missed.
    watch ??= await openWatch()
    changes.clear()
    const startedAt = performance.now()
    await run(changes.has)
    runEndedAt = performance.now()
    runMs = runEndedAt - startedAt
    if (trouble !== undefined) notify({ event: 'resumed' })
    trouble = undefined
    const mode = JSON.stringify(watch.mode)
    if (mode !== announced) notify({ event: 'watching', ...watch.mode })
    announced = mode
  }

  function explain(error: unknown): void {
    if (error instanceof FolderAwayError) isStale = true
    const reason = error instanceof FolderAwayError ? error.message : toSentence(reasonOf(error))
    if (reason !== trouble) notify({ event: 'waiting', reason })
    trouble = reason
  }

  const pause = () => sleep(timing.retryMs, undefined, { signal }).catch(() => {})

  /** Resolves when another run is due. */
  async function waitForChanges(): Promise<void> {
    const completeAt = performance.now() + timing.completeMs
    while (!signal.aborted && changes.firstAt === undefined) {
      const restMs = completeAt - performance.now()
      const isOther = (await readRoot(path).catch(() => undefined)) !== root
      if (isStale || isOther || restMs <= 0) {
        isStale = true
        return restMs <= 0 ? undefined : pause()
      }
      await wake.wait(Math.min(restMs, timing.checkMs))
    }
    const pollMs = watch?.mode.by === 'polling' ? watch.mode.everyMs : 0
    while (!signal.aborted && changes.firstAt !== undefined) {
      const { firstAt, lastAt } = changes
      const dueAt = findDueTime({ firstAt, lastAt, pollMs, runMs, runEndedAt }, timing)
      if (dueAt <= performance.now()) return
      await wake.wait(dueAt - performance.now())
    }
  }

  signal.addEventListener('abort', wake.wake)
  try {
    while (!signal.aborted) {
      try {
        await runOnce()
      } catch (error) {
        if (signal.aborted) return
        explain(error)
        await pause()
        continue
      }
      await waitForChanges()
    }
  } finally {
    signal.removeEventListener('abort', wake.wake)
    await closeWatch()
  }
}

export interface Changed {
  /** The first and the last change since the last run began, as `performance.now()`. */
  firstAt: number
  lastAt: number
  /** How often the folder is looked at; 0 when the system reports changes. */
  pollMs: number
  /** How long the last run took, and when it ended. */
  runMs: number
  runEndedAt: number
}

/**
 * Returns when the next run is due: when nothing has changed for a while, between two looks at least; at the latest
 * some time after the first change. Folders that take long to read rest for as long as they took.
 */
export function findDueTime(
  { firstAt, lastAt, pollMs, runMs, runEndedAt }: Changed,
  { quietMs, maxWaitMs }: Pick<FollowTiming, 'quietMs' | 'maxWaitMs'>,
): number {
  const quietAt = Math.min(lastAt + quietMs + pollMs, firstAt + maxWaitMs + 2 * pollMs)
  return Math.max(quietAt, runEndedAt + Math.min(runMs, maxWaitMs))
}

/** The folder cannot be looked at. The message is a sentence. */
class FolderAwayError extends Error {
  override readonly name = 'FolderAwayError'
}

/** Identifies the folder at the path, which is another one after a drive was mounted there. Throws if there is none. */
async function readRoot(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true })
    // A file that is saved is another one, every time.
    return found.isDirectory() ? `${found.dev} ${found.ino}` : 'file'
  } catch (error) {
    throw new FolderAwayError(`"${path}" cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

const toSentence = (text: string): string =>
  `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** With this many changed paths, every file counts as changed. */
const MAX_PATHS = 10_000

/** What has changed since the last run began. */
function createChangedPaths() {
  const paths = new Set<string>()
  let firstAt: number | undefined
  let lastAt = 0
  return {
    /** The time of the first change, as `performance.now()`; undefined when nothing has changed. */
    get firstAt() {
      return firstAt
    },
    get lastAt() {
      return lastAt
    },
    add(path: string): void {
      lastAt = performance.now()
      firstAt ??= lastAt
      if (paths.size < MAX_PATHS) paths.add(path)
    },
    has: (path: string): boolean => paths.has(path) || paths.size >= MAX_PATHS,
    clear(): void {
      paths.clear()
      firstAt = undefined
    },
  }
}
