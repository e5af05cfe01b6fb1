import { LRUCache } from 'lru-cache'
import type { DocumentContents } from '../../../content/document-contents.ts'
import { StoredBody } from '../../../http/responses/response-body.ts'
import type { Log } from '../../../platform/log.ts'
import { JobFailure } from '../../../platform/processes/job-process.ts'
import { reasonOf } from '../../../platform/system-errors.ts'
import type { DerivedForm, SolutionStore, StoredForms, StoredSolution } from '../solutions.store.ts'
import type { BodyPool, BodyRequest, MadeBody } from './body-pool.ts'

/** After this time a model file that could not be read is tried again. */
const RETRY_AFTER_MS = 60_000
const MAX_REMEMBERED = 1000

/** Makes the bodies that need the model file, on first request. */
export interface BodyMaker {
  /**
   * The body in that form, made now if it was not made before; concurrent requests share the work. Undefined when the
   * form needs geometry, as the scene does, and there is none or it cannot be read.
   */
  get(solution: StoredSolution, form: DerivedForm): Promise<FoundBody | undefined>
}

export interface FoundBody {
  forms: StoredForms
  /** False for a BIM document that lacks geometry because the model file could not be read. */
  isWhole: boolean
}

export interface BodyMakerParts {
  store: Pick<SolutionStore, 'saveBody'>
  contents: Pick<DocumentContents, 'find'>
  pool: Pick<BodyPool, 'run'>
  log: Log
}

export function createBodyMaker({ store, contents, pool, log }: BodyMakerParts): BodyMaker {
  // Bodies that are being made, and for a while the result.
  const making = new LRUCache<string, Promise<FoundBody | undefined>>({ max: MAX_REMEMBERED })

  async function make(solution: StoredSolution, form: DerivedForm): Promise<FoundBody | undefined> {
    const { id, documentId, units, values, model } = solution
    const content = form === 'bimz' ? await contents.find(solution.document) : undefined
    const request: BodyRequest = { form, documentId, solutionId: id, units, values, model, content }
    const { forms, fault } = await runWithFallback(request, String(solution.team))
    if (fault !== undefined) log.error({ solution: id, form, fault }, 'a model file gave no geometry')
    if (!forms) return undefined
    const isWhole = fault === undefined
    if (isWhole) await save(solution, form, forms)
    return { forms, isWhole }
  }

  /** A body that could not be saved is returned all the same; it is made again another time. */
  async function save({ key, id }: StoredSolution, form: DerivedForm, forms: StoredForms): Promise<void> {
    try {
      await store.saveBody(key, form, forms)
    } catch (err) {
      log.error({ solution: id, form, err }, 'a body could not be noted')
    }
  }

  /** A model file that exceeds the limits of the process counts as one that cannot be read. */
  async function runWithFallback(request: BodyRequest, group: string): Promise<MadeBody> {
    try {
      return await pool.run(request, { group })
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      const fault = reasonOf(error)
      if (request.form !== 'bimz') return { forms: undefined, fault }
      if (!request.model) throw error
      return { ...(await pool.run({ ...request, model: undefined }, { group })), fault }
    }
  }

  return {
    async get(solution, form) {
      const stored = solution[form]
      if (stored) return { forms: stored, isWhole: true }
      if (form !== 'bimz' && !solution.model) return undefined
      const key = `${solution.id} ${form}`
      const known = making.get(key)
      if (known) return known
      const body = make(solution, form)
      making.set(key, body)
      const remember = () => making.set(key, body, { ttl: RETRY_AFTER_MS })
      // Other errors, such as a full queue, do not concern the solution.
      body.then(remember, (error) => (error instanceof JobFailure ? remember() : making.delete(key)))
      return body
    },
  }
}

export const toStoredBody = (tag: string, { gzip, zstd, bytes }: StoredForms, type?: string): StoredBody =>
  new StoredBody(`"${tag}"`, bytes, { gzip, zstd }, type)
