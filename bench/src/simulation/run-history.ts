import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createQuickFolder, removeQuickFolder } from '@meadow/server/src/testing/quick-folder.ts'

export interface HistoryOptions {
  /** An empty folder for the data. */
  folder: string
  seed: number
  /** How often faults happen, and then none. */
  waves: number
}

/** What happened in a history. */
export interface HistoryReport {
  seed: number
  /** How long it took by its own clock, in milliseconds. */
  virtualMs: number
  /** The same for two histories in which the same happened at the same times. */
  trace: string
  faults: string[]
  /** The number of requests and edits, by kind. */
  counts: Record<string, number>
  /** What must never happen, in sentences. */
  violations: string[]
}

const PROGRAM = fileURLToPath(new URL('./history.ts', import.meta.url))

/**
 * Runs one history in a process of its own. `compiled` is a folder for compiled code, without which half of what a short
 * history costs is to compile the services. Rejects when the history does not come to its end.
 */
export async function runHistory(
  options: Omit<HistoryOptions, 'folder'>,
  compiled?: string,
): Promise<HistoryReport> {
  const folder = await createQuickFolder('meadow-history-')
  try {
    const child = fork(PROGRAM, [JSON.stringify({ ...options, folder })], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {
        ...process.env,
        ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
        // With one thread, files are read and written in the order in which that was asked for.
        UV_THREADPOOL_SIZE: '1',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const ended = once(child, 'exit')
    const reported = new Promise<HistoryReport & { error?: string }>((resolve) =>
      child.once('message', (report) => resolve(report as HistoryReport)),
    )
    const report = await Promise.race([reported, ended.then(([code]) => ({ error: `exit code ${code}` }))])
    await ended
    if (!('violations' in report)) throw new Error(`The history ${options.seed} did not end: ${report.error}`)
    return report
  } finally {
    await removeQuickFolder(folder)
  }
}
