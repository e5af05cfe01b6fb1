import type { Job, JobModule } from '@meadow/processes/child'
import type { JobProcess, JobProcessOptions, OnReport } from '../../../packages/processes/src/job-process.ts'
import { currentProcess, hold, schedule, turn, type VirtualProcess, virtualRandom } from './virtual-time.ts'

export * from '../../../packages/processes/src/job-process.ts'

/** The longest time that a job takes, in milliseconds. */
const LONGEST_MS = 4000

/** What each process has started, and what it waits for while that is held. */
const children = new WeakMap<VirtualProcess, { held: Promise<void> | undefined }>()

/** Holds the jobs of a process until the returned function is called; undefined when it has started none yet. */
export function holdJobs(process: VirtualProcess): (() => void) | undefined {
  const own = children.get(process)
  if (!own) return undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  own.held = promise
  return () => {
    own.held = undefined
    resolve()
  }
}

/** Takes the place of a child process: the job runs here, and takes a random time. */
export function startJobProcess({ module, setup, getSecrets }: JobProcessOptions): JobProcess {
  const own = currentProcess()
  if (own && !children.has(own)) children.set(own, { held: undefined })
  let isAlive = true
  let secrets: unknown
  const ready = hold(async () => {
    const { createJob } = (await import(module.href)) as JobModule
    return createJob({ setup, getSecrets: () => secrets })
  })
  ready.catch(() => {})

  async function work(request: unknown, onReport: OnReport | undefined): Promise<unknown> {
    const job = (await ready) as Job<unknown, unknown>
    secrets = await getSecrets?.()
    await turn()
    const reports: unknown[] = []
    const result = await hold(() =>
      job(structuredClone(request), { note() {}, report: (report) => void reports.push(report) }),
    )
    for (const report of reports) {
      await turn()
      onReport?.(structuredClone(report))
    }
    await new Promise<void>((resolve) => {
      schedule(virtualRandom().fraction() ** 3 * LONGEST_MS, resolve)
    })
    if (own) await children.get(own)?.held
    // A process that was killed meanwhile does not go on.
    await turn()
    return structuredClone(result)
  }

  return {
    get isAlive() {
      return isAlive
    },
    isLarge: false,
    pid: undefined,
    async run(request, signal, onReport) {
      signal.throwIfAborted()
      const aborted = Promise.withResolvers<never>()
      const abort = () => aborted.reject(signal.reason)
      signal.addEventListener('abort', abort)
      try {
        return await Promise.race([work(request, onReport), aborted.promise])
      } catch (error) {
        isAlive = false
        throw error
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
    async end() {
      isAlive = false
    },
  }
}
