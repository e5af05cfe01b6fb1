import type { DocumentId, SolutionId } from '@meadow/contract'
import type { StoredJson } from '../../../content/content.store.ts'
import type { MadeForm, StoredForms, StoredModel } from '../stored-solution.ts'

/** What the process that makes bodies is given when it starts. */
export interface BodySetup {
  /** The folder of the blob store. */
  blobsFolder: string
}

/** A body to make. */
export interface BodyRequest {
  form: MadeForm
  documentId: DocumentId
  solutionId: SolutionId
  units: string
  /** The body without geometry. */
  values: StoredForms
  model: StoredModel | undefined
  /** What the document holds, for the names of its ports. */
  content: StoredJson | undefined
}

export interface MadeBody {
  /** Undefined for the body with geometry when there is none to put in. */
  forms: StoredForms | undefined
  /** Why the model file, which there should be, gave no geometry. */
  fault?: string
}
