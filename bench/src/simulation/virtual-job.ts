import type { Job, JobModule } from '@meadow/processes/child'
import type { JobProcess, JobProcessOptions, OnReport } from '../../../packages/processes/src/job-process.ts'
import { currentProcess, hold, schedule, turn, type VirtualProcess, virtualRandom } from './virtual-time.ts'

export * from '../../../packages/processes/src/job-process.ts'

/** The longest time that a job takes, in milliseconds. */
const LONGEST_MS = 4000

/** What the jobs of a process wait for while they are held. */
const releases = new WeakMap<VirtualProcess, Promise<void>>()

/** Holds the jobs of a process until the returned function is called. */
export function holdJobs(process: VirtualProcess): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  releases.set(process, promise)
  return () => {
    releases.delete(process)
    resolve()
  }
}

/** Takes the place of a child process: the job runs here, and takes a random time. */
export function startJobProcess({ module, setup, getSecrets }: JobProcessOptions): JobProcess {
  const own = currentProcess()
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
    if (own) await releases.get(own)
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
