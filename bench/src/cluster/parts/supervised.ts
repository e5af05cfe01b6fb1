import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnMeadow } from '../../harness/meadow.ts'

/** A process of the cluster that is started again whenever it ends, as a service manager does. */
export interface Supervised {
  /** Such as `serve 2`. */
  readonly name: string
  /** Undefined between two runs. */
  readonly pid: number | undefined
  /** Why it ended although it was ready and nobody had asked for it. */
  readonly crashes: readonly string[]
  /** Resolves when it runs and listens. Rejects when it does not start, however often it is tried. */
  ready(): Promise<void>
  /** Ends it without a warning, and resolves when it is ready again. */
  kill(): Promise<void>
  /** Ends it for good. */
  stop(): Promise<void>
}

export interface SupervisedOptions {
  name: string
  /** Of `meadow-server`, such as `serve`. */
  command: string
  env: Record<string, string>
  logFile: string
}

/** What systemd waits by default. */
const RESTART_MS = 100
/** More than it takes until a database or store is back, on which it cannot start. */
const MAX_FAILED_STARTS = 60

/** Starts a process, without waiting until it is ready. */
export function supervise({ name, command, env, logFile }: SupervisedOptions): Supervised {
  const crashes: string[] = []
  let child: ChildProcess | undefined
  let isReady = false
  let isStopped = false
  /** A signal was sent to this run of it. */
  let isAsked = false
  /** In a row. */
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
    // It prints one line, when it listens or works.
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
      // The loop has to notice it first.
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
    async stop() {
      isStopped = true
      await end()
      await ended
    },
  }
}

const readEnd = async (file: string): Promise<string> => (await readFile(file, 'utf8')).slice(-500)
