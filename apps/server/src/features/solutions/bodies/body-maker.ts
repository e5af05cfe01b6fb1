import { LRUCache } from 'lru-cache'
import type { DocumentContents } from '../../../content/document-contents.ts'
import type { Log } from '../../../platform/log.ts'
import { JobFailure } from '../../../platform/processes/job-process.ts'
import { reasonOf } from '../../../platform/system-errors.ts'
import type { SolutionStore } from '../solutions.store.ts'
import type { MadeForm,StoredForms,StoredSolution } from '../stored-solution.ts'
import type { BodyPool } from './body-pool.ts'
import type { BodyRequest,MadeBody } from './body-request.ts'

/** A model file that could not be read is not looked at again before. */
const RETRY_AFTER_MS = 60_000
const MAX_REMEMBERED = 1000

/** Makes the bodies that take the reading of a model file: once, when someone asks for them first. */
export interface BodyMaker {
  /**
   * The body of that form, made now if it was not before. Undefined for those with geometry, the scene too, when there
   * is none or it cannot be read. However many ask at the same time, it is made once.
   */
  get(solution: StoredSolution, form: MadeForm): Promise<FoundBody | undefined>
}

export interface FoundBody {
  forms: StoredForms
  /** False for a BIM document without the geometry that should be in it: another body than the whole one. */
  isWhole: boolean
}

export interface BodyMakerParts {
  store: Pick<SolutionStore, 'keepBody'>
  contents: Pick<DocumentContents, 'find'>
  pool: Pick<BodyPool, 'run'>
  log: Log
}

export function createBodyMaker({ store, contents, pool, log }: BodyMakerParts): BodyMaker {
  // What is being made, and for a while what came of it.
  const made = new LRUCache<string, Promise<FoundBody | undefined>>({ max: MAX_REMEMBERED })

  async function make(solution: StoredSolution, form: MadeForm): Promise<FoundBody | undefined> {
    const { id, documentId, units, values, model } = solution
    const content = form === 'bimz' ? await contents.find(solution.document) : undefined
    const request: BodyRequest = { form, documentId, solutionId: id, units, values, model, content }
    const { forms, fault } = await makeAnyhow(request, String(solution.team))
    if (fault !== undefined) log.error({ solution: id, form, fault }, 'a model file gave no geometry')
    if (!forms) return undefined
    const isWhole = fault === undefined
    if (isWhole) await keep(solution, form, forms)
    return { forms, isWhole }
  }

  /** A body that could not be noted is good all the same; it is made again another time. */
  async function keep({ key, id }: StoredSolution, form: MadeForm, forms: StoredForms): Promise<void> {
    try {
      await store.keepBody(key, form, forms)
    } catch (err) {
      log.error({ solution: id, form, err }, 'a body could not be noted')
    }
  }

  /** A model file that is too much for the process counts as one that cannot be read. */
  async function makeAnyhow(request: BodyRequest, group: string): Promise<MadeBody> {
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
      const kept = solution[form]
      if (kept) return { forms: kept, isWhole: true }
      if (form !== 'bimz' && !solution.model) return undefined
      const key = `${solution.id} ${form}`
      const known = made.get(key)
      if (known) return known
      const making = make(solution, form)
      made.set(key, making)
      const remember = () => made.set(key, making, { ttl: RETRY_AFTER_MS })
      // That there was no turn says nothing of the solution.
      making.then(remember, (error) => (error instanceof JobFailure ? remember() : made.delete(key)))
      return making
    },
  }
}
