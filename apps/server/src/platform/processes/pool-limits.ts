import type { JobLimits } from '@meadow/processes'

/** The jobs of child processes, except solving: read files, make bodies and files, read values for the editor. */
type JobKind = 'definitions' | 'bodies' | 'exports' | 'values'

export type JobLevels = Readonly<Record<JobKind, number>>

/** What an operator can set about the jobs. */
export interface JobSettings {
  /** How many jobs of each kind run at once, each in a process of its own. */
  processes: JobLevels
  /** The JavaScript heap of one job, in megabytes. */
  memoryMb: JobLevels
  /** The CPU time of one job. */
  seconds: JobLevels
  /** How many jobs of each kind may wait. */
  queued: Readonly<Record<'team' | 'process', number>>
  /** How long a job waits at most. */
  queueSeconds: number
}

/** The limits of the jobs of one kind. */
export interface PoolLimits {
  processes: number
  cpuMs: number
  heapMb: number
  maxWaiting: Readonly<Record<'team' | 'process', number>>
  maxWaitMs: number
}

/** The default settings, for two cores and 4 GB of memory. */
export const JOB_DEFAULTS: JobSettings = {
  processes: { definitions: 2, bodies: 2, exports: 2, values: 2 },
  memoryMb: { definitions: 1024, bodies: 1024, exports: 1024, values: 512 },
  seconds: { definitions: 60, bodies: 120, exports: 120, values: 30 },
  queued: { team: 250, process: 1000 },
  queueSeconds: 600,
}

export function toPoolLimits(settings: JobSettings): Readonly<Record<JobKind, PoolLimits>> {
  const limitsOf = (kind: JobKind): PoolLimits => ({
    processes: settings.processes[kind],
    cpuMs: settings.seconds[kind] * 1000,
    heapMb: settings.memoryMb[kind],
    maxWaiting: settings.queued,
    maxWaitMs: settings.queueSeconds * 1000,
  })
  return {
    definitions: limitsOf('definitions'),
    bodies: limitsOf('bodies'),
    exports: limitsOf('exports'),
    values: limitsOf('values'),
  }
}

export const DEFAULT_POOL_LIMITS = toPoolLimits(JOB_DEFAULTS)

/** For jobs that hold whole files, which are buffers outside of the heap. Their processes are kept for the next job. */
export const FILES_MEMORY = { otherMb: 1024 } satisfies Partial<JobLimits>

/**
 * For jobs that read a document: its content of up to 256 MB is outside of the heap twice, as it is read and as it is
 * stored. The process is ended after a large one, because starting a process takes less time than such a job.
 */
export const CONTENT_MEMORY = { otherMb: 768, retainedMb: 128 } satisfies Partial<JobLimits>

/** The options of a pool whose groups are teams: long jobs of one team do not block another. */
export const toPoolOptions = (
  { processes, cpuMs, heapMb, maxWaiting, maxWaitMs }: PoolLimits,
  more: Omit<JobLimits, 'cpuMs' | 'heapMb'>,
) => ({
  processes,
  processesPerGroup: Math.max(1, processes - 1),
  maxWaiting: [maxWaiting.process, maxWaiting.team],
  maxWaitMs,
  limits: { cpuMs, heapMb, ...more },
})
