import { InvalidArgumentError, type Output, printable, UsageFailure } from '@meadow/command'
import type { ImportResult, ImportSummary, Outcome } from '../features/import/import-result.ts'
import { findImportKind } from '../features/import/walk-files.ts'
import type { FollowEvent } from '../features/mirrors/follow-folder.ts'
import { DEFAULT_POLL_MS } from '../features/mirrors/watch-folder.ts'

export interface FollowOptions {
  watch?: true
  /** The interval in seconds; true if the option has no number. */
  poll?: number | true
}

/** The options of commands that follow a folder. */
export const FOLLOW_OPTIONS = {
  '--watch': 'After the first run, follow changes as files are saved, until Ctrl-C.',
  '--poll [seconds]': {
    says:
      'With --watch: look at all files every so often, as network drives need it, in place of waiting for reports of ' +
      `the system. Without a number: every ${DEFAULT_POLL_MS / 1000} seconds.`,
    read: readSeconds,
  },
}

const MAX_SECONDS = 24 * 3600

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds < 0.1 || seconds > MAX_SECONDS)
    throw new InvalidArgumentError(`It must be a number of seconds from 0.1 to ${MAX_SECONDS}.`)
  return seconds
}

/** Fails when options for following are given without it. */
export function checkFollowOptions({ watch, poll }: FollowOptions): void {
  if (poll !== undefined && !watch)
    throw new UsageFailure('"--poll" is for "--watch": add it, or leave this one out.')
}

/** The message after the first Ctrl-C. */
export const STOPPING = 'Stopping when the files that were read are written. Ctrl-C again: at once.'

export interface FollowedImport {
  /** The path of the folder, or of the one file. */
  path: string
  signal: AbortSignal
  /** A complete run, which reports what became of each file. */
  run(onResult: (result: ImportResult) => void): Promise<Pick<ImportSummary, 'interrupted'>>
  /** What the lines of this folder are marked with, when several folders are followed. */
  mark?: { mirror: string; name: string }
}

/**
 * Runs imports of a folder until the signal aborts, and prints a line for each change: the time, the path, and what
 * happened; with `--json` an object. Resolves to whether the last run was interrupted.
 */
export async function followImports(
  output: Output,
  { watch: _, poll }: FollowOptions,
  { path, signal, run, mark }: FollowedImport,
): Promise<boolean> {
  const news = createNews()
  let interrupted = false
  const print = (event: object, asText: string) => {
    const at = new Date()
    const name = mark ? `${printable(mark.name)}  ` : ''
    void output.data(
      { at: at.toISOString(), ...(mark && { mirror: mark.mirror }), ...event },
      () => `${formatTime(at)}  ${name}${asText}`,
    )
  }
  const { followFolder } = await import('../features/mirrors/follow-folder.ts')
  await followFolder({
    path,
    pollMs: poll === true ? DEFAULT_POLL_MS : poll && poll * 1000,
    signal,
    isRelevant: (name) => findImportKind(name) !== undefined,
    notify: (event) => print(event, describeEvent(event, path)),
    async run(isChanging) {
      const startedAt = performance.now()
      let changes = 0
      const { isNews, end } = news.begin()
      const onResult = (result: ImportResult) => {
        // It is being written: the next run reads it again.
        if (result.outcome === 'failed' && isChanging(result.path)) return
        if (!isNews(result)) return
        changes++
        print({ event: 'file', ...result }, `${printable(result.path)}  ${describeChange(result)}`)
      }
      const summary = await run(onResult)
      end()
      interrupted = summary.interrupted
      const durationMs = Math.round(performance.now() - startedAt)
      if (!output.isForPeople && changes > 0) print({ event: 'run', ...summary, changes, durationMs }, '')
    },
  })
  print({ event: 'stopped' }, 'Stopped.')
  return interrupted
}

/** The local time, as `14:03:22`. */
const formatTime = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')

function describeEvent(event: FollowEvent, path: string): string {
  if (event.event === 'waiting') return `${printable(event.reason)} Trying again until it works.`
  if (event.event === 'resumed') return 'It works again.'
  const folder = `Following changes in ${printable(path)}`
  if (event.by === 'events') return `${folder}. Ctrl-C stops.`
  const reason = event.reason === undefined ? '' : `, since ${event.reason}`
  return `${folder}, looking every ${event.everyMs / 1000} seconds${reason}. Ctrl-C stops.`
}

/** Describes what became of a file, in a few words. */
function describeChange(result: ImportResult): string {
  if (result.outcome === 'failed') return `failed: ${printable(result.reason)}`
  if (result.outcome === 'skipped') return `left out: ${result.reason}`
  const id = result.documentId ?? result.fileId
  const words = [describeOutcome(result)]
  if ('movedFrom' in result && result.movedFrom !== undefined)
    words.push(`moved from ${printable(result.movedFrom)}`)
  if ('restored' in result && result.restored) words.push('restored from the bin')
  return `${words.filter((word) => word !== '').join(', ')}${id === undefined ? '' : ` (${id})`}`
}

function describeOutcome(result: Exclude<ImportResult, { outcome: 'failed' | 'skipped' }>): string {
  switch (result.outcome) {
    case 'created':
      return result.besides ? `new, since the document before (${result.besides}) was edited` : 'new'
    case 'updated':
      return result.replaced ? 'updated, and edits were replaced' : 'updated'
    case 'conflict':
      return 'not updated, since its document was edited'
    case 'binned':
      return 'left out, since it is in the bin'
    case 'gone':
      return result.binned ? 'gone, put into the bin' : 'gone, what was imported of it stays'
    case 'moved':
    case 'unchanged':
      return ''
  }
}

/** Tells changes from what was reported after the run before: a file that fails each time is news once. */
function createNews() {
  let known = new Set<string>()
  return {
    begin() {
      const found = new Set<string>()
      return {
        isNews(result: ImportResult): boolean {
          if (result.outcome === 'unchanged') return result.restored === true
          if (!TROUBLES.has(result.outcome)) return true
          const { path, outcome } = result
          const trouble = JSON.stringify([path, outcome, 'reason' in result && result.reason])
          found.add(trouble)
          return !known.has(trouble)
        },
        /** The run has come to its end. */
        end(): void {
          known = found
        },
      }
    },
  }
}

/** What each run reports again. */
const TROUBLES: ReadonlySet<Outcome> = new Set(['failed', 'conflict', 'skipped', 'binned'])
