import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnMeadow } from '../../harness/meadow.ts'
import { listTree } from '../../harness/process-figures.ts'

/** A process of the cluster that is started again whenever it ends, as a service manager does. */
export interface Supervised {
  /** The name, such as `serve 2`. */
  readonly name: string
  /** The process id; undefined between two runs. */
  readonly pid: number | undefined
  /** The reasons why the process ended although it was ready and nobody had ended it. */
  readonly crashes: readonly string[]
  /** Resolves when the process runs and listens. Rejects when it does not start in many attempts. */
  ready(): Promise<void>
  /** Ends the process without a warning, and resolves when it is ready again. */
  kill(): Promise<void>
  /**
   * Stops the children that the process has, until the returned function is called. Those that have ended since are left
   * alone.
   */
  holdChildren(): () => void
  /** Stops the process for this time in milliseconds, in which it does nothing and keeps what it has open. */
  stall(ms: number): Promise<void>
  /** Ends the process for good. */
  stop(): Promise<void>
}

export interface SupervisedOptions {
  name: string
  /** The command of `meadow-server`, such as `serve`. */
  command: string
  env: Record<string, string>
  logFile: string
}

/** The pause before a restart in milliseconds, which is the default of systemd. */
const RESTART_MS = 100
/**
 * The number of failed starts in a row after which a process counts as broken. A database or store that it needs to
 * start is back earlier.
 */
const MAX_FAILED_STARTS = 60

/** Starts a process, without waiting until it is ready. */
export function supervise({ name, command, env, logFile }: SupervisedOptions): Supervised {
  const crashes: string[] = []
  let child: ChildProcess | undefined
  let isReady = false
  let isStopped = false
  /** Whether this program has sent a signal to the current run. */
  let isAsked = false
  /** The number of failed starts in a row. */
  let failedStarts = 0
  let becomesReady = Promise.withResolvers<void>()
  const ended = keepRunning()

  async function keepRunning(): Promise<void> {
    while (!isStopped) {
      await runOnce()
      if (isReady) becomesReady = Promise.withResolvers<void>()
      else if (!isAsked && ++failedStarts === MAX_FAILED_STARTS)
        becomesReady.reject(new Error(`${name} does not start: ${await readEnd(logFile)}`))
      isReady = false
      if (!isStopped) await sleep(RESTART_MS)
    }
  }

  async function runOnce(): Promise<void> {
    isAsked = false
    const run = spawnMeadow(command, { env, logFile })
    child = run
    // The process prints one line, when it listens or works.
    run.stdout!.once('data', () => {
      isReady = true
      failedStarts = 0
      becomesReady.resolve()
    })
    const [code, signal] = await once(run, 'exit')
    child = undefined
    if (isReady && !isAsked) crashes.push(`${name} ended with ${signal ?? `exit code ${code}`}`)
  }

  async function end(): Promise<void> {
    const run = child
    isAsked = true
    if (run && run.exitCode === null && run.signalCode === null) {
      const exited = once(run, 'exit')
      run.kill('SIGKILL')
      await exited
      // The loop has to notice the end first.
      await sleep(0)
    }
  }

  return {
    name,
    crashes,
    get pid() {
      return child?.pid
    },
    ready: () => becomesReady.promise,
    async kill() {
      await end()
      await becomesReady.promise
    },
    holdChildren() {
      const pids = child?.pid === undefined ? [] : listTree(child.pid).slice(1)
      const signal = (name: NodeJS.Signals) => pids.forEach((pid) => void trySignal(pid, name))
      signal('SIGSTOP')
      return () => signal('SIGCONT')
    },
    async stall(ms) {
      const run = child
      run?.kill('SIGSTOP')
      await sleep(ms)
      run?.kill('SIGCONT')
    },
    async stop() {
      isStopped = true
      await end()
      await ended
    },
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

const readEnd = async (file: string): Promise<string> => (await readFile(file, 'utf8')).slice(-500)
