import type { SolutionId } from '@meadow/contract'
import { isKilled, JobFailure } from '@meadow/processes'
import { LRUCache } from 'lru-cache'
import type { DocumentContents } from '../../../content/document-contents.ts'
import { StoredBody } from '../../../http/responses/response-body.ts'
import { findUnavailable } from '../../../platform/database/unavailable.ts'
import type { Log } from '../../../platform/log.ts'
import { repeatKilled } from '../../../platform/processes/process-pool.ts'
import { reasonOf } from '../../../platform/system-errors.ts'
import type { DerivedForm, SolutionStore, StoredForms, StoredSolution } from '../solutions.store.ts'
import type { BodyPool, BodyRequest, MadeBody } from './body-pool.ts'
import { createGrowingFile, type GrowingFile, type GrowthReport } from './growing-file.ts'

/** A model file that could not be read is tried again after this time. */
const RETRY_AFTER_MS = 60_000
const MAX_REMEMBERED = 1000

/** Makes the bodies that need the model file, on first request. */
export interface BodyMaker {
  /**
   * Gets the body in that form, which is made now unless it was made before; concurrent requests share the work.
   * Resolves with undefined when the form needs geometry, as the scene does, and there is none or it cannot be read.
   */
  get(solution: StoredSolution, form: DerivedForm): Promise<FoundBody | undefined>
  /** Does what `get` does, but resolves with a large body when its first bytes are there. */
  getEarly(solution: StoredSolution, form: StreamedForm): Promise<FoundBody | GrowingFound | undefined>
}

/** The forms that are written from their beginning to their end. */
export type StreamedForm = Exclude<DerivedForm, 'scene'>

export interface FoundBody {
  forms: StoredForms
  /** False for a BIM document that lacks geometry because the model file could not be read. */
  isWhole: boolean
}

/** A body that is being made. */
export interface GrowingFound {
  growing: GrowingFile
  isWhole: boolean
  /** Resolves when the body is complete. */
  found: Promise<FoundBody | undefined>
}

export interface BodyMakerParts {
  store: Pick<SolutionStore, 'saveBody'>
  contents: Pick<DocumentContents, 'find'>
  pool: Pick<BodyPool, 'run'>
  /** The folder for the files of bodies that are being made. */
  spoolFolder: string
  log: Log
}

/** A body that is being made, or was made a moment ago. */
interface Making {
  found: Promise<FoundBody | undefined>
  /** Resolves earlier than `found` when the body is large. */
  early: Promise<FoundBody | GrowingFound | undefined>
}

/** Called once for a body that is large. */
type OnGrowth = (growing: GrowingFile, isWhole: boolean) => void

const keyOf = (solution: SolutionId, form: DerivedForm): string => `${solution} ${form}`

/** Whether a job failed because of what it was given, and not because of the machine: a full disk, or no memory. */
const isOfJob = (error: unknown): error is JobFailure =>
  error instanceof JobFailure && !isKilled(error) && !findUnavailable(error)

export function createBodyMaker({ store, contents, pool, spoolFolder, log }: BodyMakerParts): BodyMaker {
  // Bodies that are being made, and for a while the result.
  const making = new LRUCache<string, Making>({ max: MAX_REMEMBERED })
  // The faults of bodies that broke off after a part was sent. For a while these are made without geometry.
  const faults = new LRUCache<string, string>({ max: MAX_REMEMBERED, ttl: RETRY_AFTER_MS })

  /** Makes a body. */
  async function make(
    solution: StoredSolution,
    form: DerivedForm,
    onGrowth: OnGrowth,
  ): Promise<FoundBody | undefined> {
    const { id, documentId, units, values, model } = solution
    const content = form === 'bimz' ? await contents.find(solution.document) : undefined
    const request: BodyRequest = { form, documentId, solutionId: id, units, values, model, content }
    const { forms, fault } = await runWithFallback(request, String(solution.team), onGrowth)
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
  async function runWithFallback(request: BodyRequest, group: string, onGrowth: OnGrowth): Promise<MadeBody> {
    const key = keyOf(request.solutionId, request.form)
    const known = faults.get(key)
    if (known !== undefined) return runWithoutModel(request, group, known, onGrowth)
    let isGrowing = false
    try {
      return await runGrowing(request, group, (growing, isWhole) => {
        isGrowing = true
        onGrowth(growing, isWhole)
      })
    } catch (error) {
      if (!(error instanceof JobFailure) || isKilled(error) || (request.form === 'bimz' && !request.model))
        throw error
      const fault = reasonOf(error)
      if (!isGrowing) return runWithoutModel(request, group, fault, onGrowth)
      // The beginning of the body was sent with geometry. The next request gets one without.
      if (isOfJob(error)) faults.set(key, fault)
      throw error
    }
  }

  async function runWithoutModel(
    request: BodyRequest,
    group: string,
    fault: string,
    onGrowth: OnGrowth,
  ): Promise<MadeBody> {
    if (request.form !== 'bimz') return { forms: undefined, fault }
    const made = await runGrowing({ ...request, model: undefined }, group, (growing) =>
      onGrowth(growing, false),
    )
    return { ...made, fault }
  }

  /** Runs the job with a growing file beside it; once more when it was killed before anything of it was sent. */
  async function runGrowing(request: BodyRequest, group: string, onGrowth: OnGrowth): Promise<MadeBody> {
    if (request.form === 'scene') return pool.run(request, { group })
    let hasGrown = false
    const noteGrowth: OnGrowth = (...growth) => {
      hasGrown = true
      onGrowth(...growth)
    }
    return repeatKilled(
      () => runGrowingOnce(request, group, noteGrowth),
      () => !hasGrown,
    )
  }

  async function runGrowingOnce(request: BodyRequest, group: string, onGrowth: OnGrowth): Promise<MadeBody> {
    const growing = await createGrowingFile(spoolFolder)
    let isFirst = true
    const onReport = ({ bytes, fault }: GrowthReport) => {
      growing.grow(bytes)
      if (isFirst) onGrowth(growing, fault === undefined)
      isFirst = false
    }
    try {
      const made = await pool.run({ ...request, growing: growing.path }, { group, onReport })
      await growing.end()
      return made
    } catch (error) {
      await growing.end(error)
      throw error
    }
  }

  function start(solution: StoredSolution, form: DerivedForm): Making {
    const key = keyOf(solution.id, form)
    const known = making.get(key)
    if (known) return known
    const begun = Promise.withResolvers<GrowingFound>()
    const found = make(solution, form, (growing, isWhole) => begun.resolve({ growing, isWhole, found }))
    const early = Promise.race([begun.promise, found])
    // A caller may wait for `found` alone, so that nothing handles the rejection of `early`.
    early.catch(() => {})
    making.set(key, { found, early })
    const remember = () => making.set(key, { found, early: found }, { ttl: RETRY_AFTER_MS })
    // Other errors, such as a full queue or a killed process, do not concern the solution.
    found.then(remember, (error) =>
      isOfJob(error) && error.kind !== 'crashed' && !faults.has(key) ? remember() : making.delete(key),
    )
    return making.get(key)!
  }

  /** Finds the stored body; returns undefined when it has to be made. */
  function findStored(
    solution: StoredSolution,
    form: DerivedForm,
  ): { body: FoundBody | undefined } | undefined {
    const forms = solution[form]
    if (forms) return { body: { forms, isWhole: true } }
    return form !== 'bimz' && !solution.model ? { body: undefined } : undefined
  }

  return {
    async get(solution, form) {
      const stored = findStored(solution, form)
      return stored ? stored.body : start(solution, form).found
    },
    async getEarly(solution, form) {
      const stored = findStored(solution, form)
      return stored ? stored.body : start(solution, form).early
    },
  }
}

export const toStoredBody = (tag: string, { gzip, zstd, bytes }: StoredForms, type?: string): StoredBody =>
  new StoredBody(`"${tag}"`, bytes, { gzip, zstd }, type)
