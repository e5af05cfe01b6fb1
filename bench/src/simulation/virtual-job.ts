import type { Job, JobModule } from '@meadow/processes/child'
import type { JobProcess, JobProcessOptions, OnReport } from '../../../packages/processes/src/job-process.ts'
import { hold, schedule, turn, virtualRandom } from './virtual-time.ts'

export * from '../../../packages/processes/src/job-process.ts'

/** The longest time that a job takes, in milliseconds. */
const LONGEST_MS = 4000

/** Takes the place of a child process: the job runs here, and takes a random time. */
export function startJobProcess({ module, setup, getSecrets }: JobProcessOptions): JobProcess {
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
