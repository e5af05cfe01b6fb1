import type { DocumentId, SolutionId } from '@meadow/contract'
import type { StoredJson } from '../../../content/content.store.ts'
import type { BlobsLocation } from '../../../platform/blobs/open-blobs.ts'
import { DEFAULT_POOL_LIMITS, FILES_MEMORY, toPoolOptions } from '../../../platform/processes/pool-limits.ts'
import { openProcessPool, type ProcessPool } from '../../../platform/processes/process-pool.ts'
import type { DerivedForm, StoredForms, StoredModel } from '../solutions.store.ts'

/** Makes bodies in child processes. */
export type BodyPool = ProcessPool<BodyRequest, MadeBody>

export interface BodyRequest {
  form: DerivedForm
  documentId: DocumentId
  solutionId: SolutionId
  units: string
  /** The body without geometry. */
  values: StoredForms
  model: StoredModel | undefined
  /** The content of the document, for the names of its ports. */
  content: StoredJson | undefined
  /** The path of a growing file, to which the gzip form is written while it is made; then {@link GrowthReport}s follow. */
  growing?: string
}

export interface MadeBody {
  /** Undefined when the form needs geometry and there is none. */
  forms: StoredForms | undefined
  /** Why the model file could not be read. */
  fault?: string
}

export const openBodyPool = (blobs: BlobsLocation, limits = DEFAULT_POOL_LIMITS.bodies): BodyPool =>
  openProcessPool({
    name: 'body',
    module: new URL('./make-body.ts', import.meta.url),
    blobs,
    ...toPoolOptions(limits, FILES_MEMORY),
  })
