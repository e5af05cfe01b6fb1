import { type JobLimits, type JobThread, openJobThread } from '../../../platform/job-thread.ts'
import type { StoredForms } from '../stored-solution.ts'
import type { PageRequest, PortPage } from './port-pages.ts'

export interface ValuesThreadSetup {
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

/** The values, which lie outside of the heap, come on top. */
const LIMITS: JobLimits = { deadlineMs: 30_000, heapMb: 512 }

/** Answers what a port holds; undefined when the solution has no such port. */
export type ValuesThread = JobThread<ValuesRequest, PortPage | undefined>

export const openValuesThread = (setup: ValuesThreadSetup): ValuesThread =>
  openJobThread(new URL('./values.worker.ts', import.meta.url), { setup, limits: LIMITS })
