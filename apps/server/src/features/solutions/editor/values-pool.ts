import { DEFAULT_POOL_LIMITS, toPoolOptions } from '../../../platform/processes/pool-limits.ts'
import { openProcessPool, type ProcessPool } from '../../../platform/processes/process-pool.ts'
import type { StoredForms } from '../stored-solution.ts'
import type { PageRequest, PortPage } from './port-pages.ts'

export interface ValuesSetup {
  /** The folder of the blob store. */
  blobsFolder: string
  /** So much of the values that were read is kept for the next page. */
  keptBytes: number
}

export interface ValuesRequest {
  /** The body without geometry. */
  values: StoredForms
  nodeInstanceId: string
  portInstanceId: string
  page: PageRequest
}

/** Answers what a port holds; undefined when the solution has no such port. */
export type ValuesPool = ProcessPool<ValuesRequest, PortPage | undefined>

export const openValuesPool = (
  { blobsFolder }: Pick<ValuesSetup, 'blobsFolder'>,
  limits = DEFAULT_POOL_LIMITS.values,
): ValuesPool =>
  openProcessPool({
    script: new URL('./values.worker.ts', import.meta.url),
    setup: { blobsFolder, keptBytes: (limits.heapMb / 2) * 2 ** 20 } satisfies ValuesSetup,
    folder: blobsFolder,
    // Beside the values that are kept there are those that are being read, packed and unpacked.
    ...toPoolOptions(limits, { otherMb: 512, keptMb: limits.heapMb }),
  })
