import type { JobLimits } from '../../../platform/processes/job-process.ts'
import { openProcessPool, type ProcessPool } from '../../../platform/processes/process-pool.ts'
import type { BodyRequest, BodySetup, MadeBody } from './body-request.ts'

/** The bytes of the model file and of the values, 256 MB each and more, lie outside of the heap. */
const LIMITS: JobLimits = { cpuMs: 120_000, heapMb: 1024, otherMb: 1024 }

/** Makes bodies in child processes, one of a team at a time. */
export type BodyPool = ProcessPool<BodyRequest, MadeBody>

export const openBodyPool = ({ blobsFolder }: BodySetup, limits: JobLimits = LIMITS): BodyPool =>
  openProcessPool({
    script: new URL('./body.worker.ts', import.meta.url),
    setup: { blobsFolder } satisfies BodySetup,
    limits,
    folder: blobsFolder,
    // What takes long for one team does not hold up another.
    processes: 2,
    processesPerGroup: 1,
  })
