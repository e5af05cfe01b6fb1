import { fileURLToPath } from 'node:url'
import { type JobProcess, startJobProcess } from '@meadow/processes'
import type { Limits } from '../config/settings.ts'
import type { Inspection, InspectRequest } from './inspection.ts'

/** Inspects one definition after the other, each within its limits. */
export interface Inspector {
  /**
   * Rejects with a `JobFailure` when the definition exceeds a limit or ends the process; the next definition gets a new
   * process.
   */
  inspect(request: InspectRequest, signal: AbortSignal | undefined): Promise<Inspection>
  /** Resolves when the process has ended. */
  end(): Promise<void>
}

/**
 * The cache of compiled modules. Where the package's folder is read-only, nothing is cached, and a process starts half
 * a second later.
 */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

const NEVER = new AbortController().signal

/** Creates an inspector that starts its process with the first definition, and again for other limits. */
export function openInspector(): Inspector {
  let current: { process: JobProcess; limits: Limits } | undefined

  async function acquire(limits: Limits): Promise<JobProcess> {
    const fits = current?.limits.timeMs === limits.timeMs && current.limits.memoryMb === limits.memoryMb
    if (current?.process.isAlive && fits) return current.process
    await current?.process.end()
    const process = startJobProcess({
      module: new URL('./inspect-definition.ts', import.meta.url),
      limits: { cpuMs: limits.timeMs, heapMb: limits.memoryMb, otherMb: 768 },
      // The models beside a definition and the installed packages may be anywhere. The process writes nothing.
      readable: ['*'],
      compileCache: COMPILED,
    })
    current = { process, limits }
    return process
  }

  return {
    async inspect(request, signal) {
      const process = await acquire(request.limits)
      return (await process.run(request, signal ?? NEVER)) as Inspection
    },
    async end() {
      await current?.process.end()
    },
  }
}
