import { openProcessPool, type ProcessPool } from '../../../platform/processes/process-pool.ts'
import type { StoredForms } from '../stored-solution.ts'
import type { PageRequest, PortPage } from './port-pages.ts'

export interface ValuesSetup {
  /** The folder of the blob store. */
  blobsFolder: string
}

export interface ValuesRequest {
  /** The body without geometry. */
  values: StoredForms
  nodeInstanceId: string
  portInstanceId: string
  page: PageRequest
}

/** Values that were read are kept for the next page. */
export const KEPT_BYTES = 256 * 2 ** 20

/** Answers what a port holds; undefined when the solution has no such port. */
export type ValuesPool = ProcessPool<ValuesRequest, PortPage | undefined>

export const openValuesPool = ({ blobsFolder }: ValuesSetup): ValuesPool =>
  openProcessPool({
    script: new URL('./values.worker.ts', import.meta.url),
    setup: { blobsFolder } satisfies ValuesSetup,
    // Beside the values that are kept there are those that are being read, packed and unpacked.
    limits: { cpuMs: 30_000, heapMb: 512, otherMb: 512, keptMb: 512 },
    folder: blobsFolder,
    // What takes long for one team does not hold up another.
    processes: 2,
    processesPerGroup: 1,
  })
