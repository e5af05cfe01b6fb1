import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Completeness,
  type DocumentId,
  LINK_LIFETIME_MS,
  type SolutionId,
  type Unit,
} from '@meadow/contract'
import type { DocumentContents } from '../../content/document-contents.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createSingleFlight } from '../../platform/concurrency/single-flight.ts'
import type { DocumentKey, SolveKey, TeamKey } from '../../platform/database/tables.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import type { ProcessPool } from '../../platform/processes/process-pool.ts'
import type { ExportTarget } from './export-target.ts'
import type { ExportInputs, ExportStore, FileLease, FileSource } from './exports.store.ts'
import type { ExportRequest, MadeFile, StoredModel } from './make-file.ts'

export interface RequestedExport {
  team: TeamKey
  solution: Exportable
  target: ExportTarget
}

/** The solution to export. */
export interface Exportable {
  key: SolveKey
  id: SolutionId
  document: DocumentKey
  documentId: DocumentId
  /** Undefined when there is no geometry, or no file could be written of it. */
  model: StoredModel | undefined
  units: Unit
  /** Null for solutions that were made before completeness. */
  completeness: Completeness | null
}

/** A file in the blob store that is retained for longer than a link created now is valid. */
export interface ExportFile extends MadeFile {
  /** The current name of the document. */
  documentName: string
}

/** Makes the files of exports, each once, in whichever process it is requested first. */
export interface ExportMaker extends AsyncDisposable {
  /** The file, if it was made before. Throws an `HttpError` when it cannot exist. */
  find(requested: RequestedExport): Promise<ExportFile | undefined>
  /**
   * The file, which is made now unless it exists. Throws an `HttpError` when it cannot be made, when making it, queueing
   * included, exceeds the timeout, and when `signal` is aborted.
   */
  get(requested: RequestedExport, signal: AbortSignal): Promise<ExportFile>
}

export interface MakerParts {
  store: ExportStore
  blobs: BlobStore
  contents: Pick<DocumentContents, 'read'>
  pool: Pick<ProcessPool<ExportRequest, MadeFile>, 'acquire'> & AsyncDisposable
  log: Log
}

export interface MakerOptions {
  /** How long a request waits for a file, queueing included. */
  timeoutMs: number
  /** How long a lease outlives the process that holds it. */
  leaseMs: number
}

/** The timeout is below the two minutes after which idle connections are closed, so that clients get the response. */
export const MAKER_OPTIONS: MakerOptions = { timeoutMs: 100_000, leaseMs: 10_000 }

/** How often to look for a file that another process makes. */
const POLL_MS = 100
/** Much longer than links are valid, so that most links to a file are created without a write. */
const RETENTION_MS = 24 * LINK_LIFETIME_MS
/** For clocks that differ, and downloads that are resumed at the last moment. */
const MARGIN_MS = 10 * 60 * 1000

export function createExportMaker(parts: MakerParts, options = MAKER_OPTIONS): ExportMaker {
  const { store, blobs, contents, pool, log } = parts
  const singleFlight = createSingleFlight<ExportFile>()

  async function get(requested: RequestedExport, signal: AbortSignal): Promise<ExportFile> {
    const inputs = await getInputs(requested)
    const found = await findFile(requested, inputs)
    if (found) return found
    const timeout = AbortSignal.timeout(options.timeoutMs)
    const { cacheKey } = toSource(requested, inputs)
    try {
      return await singleFlight.run(cacheKey, AbortSignal.any([signal, timeout]), (unwanted) =>
        make(requested, unwanted),
      )
    } catch (error) {
      if (signal.aborted) throw new HttpError('stopping', { headers: { 'retry-after': '5' } })
      if (timeout.aborted) throw new HttpError('export_not_in_time')
      throw error
    }
  }

  async function getInputs({ solution }: RequestedExport): Promise<ExportInputs> {
    const inputs = await store.findInputs(solution.document, solution.key)
    if (!inputs) throw new HttpError('document_not_found')
    return inputs
  }

  async function findFile(requested: RequestedExport, inputs: ExportInputs): Promise<ExportFile | undefined> {
    const { solution, target } = requested
    const documentName = inputs.name
    if (target.format === '.3dm' && !solution.model && inputs.modelFault !== null)
      throw new HttpError('model_missing')
    // The solve has written its model in this form, and it is retained for longer than links are valid.
    if (target.archiveVersion === 7 && solution.model) {
      const { digest, bytes } = solution.model
      return { digest, bytes, warnings: [], documentName }
    }
    const file = await store.findFile(toSource(requested, inputs).cacheKey)
    if (!file) return undefined
    if (!(await blobs.has(file.digest))) {
      log.error({ document: solution.documentId, digest: file.digest }, 'the file of an export is missing')
      await store.delete(file.key)
      return undefined
    }
    const { key, retainedUntil, digest, bytes, warnings } = file
    const now = Date.now()
    const isRetained =
      retainedUntil > now + LINK_LIFETIME_MS + MARGIN_MS || (await store.retain(key, now + RETENTION_MS))
    return isRetained ? { digest, bytes, warnings, documentName } : undefined
  }

  /** Ends with `unwanted`, unless the file is being made already. */
  async function make(requested: RequestedExport, unwanted: AbortSignal): Promise<ExportFile> {
    for (;;) {
      const made = await tryMake(requested, unwanted)
      if (made) return made
      // Another process makes it. This one waits without holding a permit.
      await sleep(POLL_MS, undefined, { signal: unwanted })
    }
  }

  /** Undefined while another process holds the lease. The inputs are read when the permit is acquired, not earlier. */
  async function tryMake(requested: RequestedExport, unwanted: AbortSignal): Promise<ExportFile | undefined> {
    using permit = await pool.acquire({ group: String(requested.team), signal: unwanted })
    const inputs = await getInputs(requested)
    const found = await findFile(requested, inputs)
    if (found) return found
    const content = requested.target.format === '.gh' ? await readContent(requested, inputs) : undefined
    const current = content ? { ...inputs, seq: content.seq } : inputs
    const lease = await store.lease(toSource(requested, current), options.leaseMs)
    if (!lease) return findFile(requested, current)
    using _ = keepLease(store, lease, options.leaseMs, log)
    const startedAt = performance.now()
    const { solution, target } = requested
    const logged = { document: solution.documentId, solution: solution.id, ...target }
    try {
      const file = await permit.run(toRequest(requested, current, content?.value))
      await store.complete(lease, file, Date.now() + RETENTION_MS)
      const durationMs = Math.round(performance.now() - startedAt)
      log.info(
        { ...logged, bytes: file.bytes, warnings: file.warnings.length, durationMs },
        'an export was made',
      )
    } catch (error) {
      // An outage of the database does not concern the export, and the lease will expire.
      if (findUnavailable(error)) throw error
      await store.abandon(lease)
      log.error({ ...logged, err: error }, 'an export could not be made')
      throw new HttpError('export_not_made', { cause: error })
    }
    return findFile(requested, current)
  }

  async function readContent({ solution }: RequestedExport, { seq }: ExportInputs) {
    const content = await contents.read(solution.document, { seq })
    if (!content) throw new HttpError('document_not_found')
    return content
  }

  return {
    async find(requested) {
      const file = await findFile(requested, await getInputs(requested))
      return file && addPartialWarning(requested, file)
    },
    get: async (requested, signal) => addPartialWarning(requested, await get(requested, signal)),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await singleFlight.settled()
    },
  }
}

/** A model of a partial solution lacks geometry without a trace of it in the file, so a warning says so. */
function addPartialWarning({ solution, target }: RequestedExport, file: ExportFile): ExportFile {
  const { completeness } = solution
  if (target.format !== '.3dm' || !completeness || completeness.isComplete) return file
  const { nodes, unsupported, unknown } = completeness
  const warning =
    `The solution is partial: ${unsupported + unknown} of ${nodes} nodes could not be solved, ` +
    'and the model lacks their geometry.'
  return { ...file, warnings: [warning, ...file.warnings] }
}

/** To be raised when the same input gives other bytes than before, so that files are made again. */
const WRITER_VERSION = 2

/**
 * What a file is made from, with its cache key. A definition is made from the document's current content and name. A
 * model is made from a solve; it is the same for all modeler versions with the same archive version.
 */
function toSource({ solution, target }: RequestedExport, { seq, name }: ExportInputs): FileSource {
  const { document, documentId, id, key } = solution
  if (target.format === '.3dm') {
    const cacheKey = ['.3dm', WRITER_VERSION, target.archiveVersion, id].join(' ')
    return { cacheKey, document, seq: null, solve: key }
  }
  const nameHash = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const cacheKey = ['.gh', WRITER_VERSION, documentId, seq, nameHash].join(' ')
  return { cacheKey, document, seq, solve: null }
}

function toRequest(
  { solution, target }: RequestedExport,
  inputs: ExportInputs,
  content: Uint8Array | undefined,
): ExportRequest {
  const { documentId, model, units } = solution
  if (target.format === '.3dm') {
    const { format, archiveVersion } = target
    return { format, documentId, archiveVersion, model, units, solvedAt: inputs.solvedAt }
  }
  const { name, updatedAt, original, reading } = inputs
  return {
    format: target.format,
    id: documentId,
    name,
    updatedAt: new Date(updatedAt).toISOString(),
    content: content!,
    original,
    reading,
  }
}

/** Two renewals in a row may fail before a lease expires. */
const RENEWALS_PER_LEASE = 3

/** Renews a lease until it is disposed of. If it is lost nevertheless, the file is made twice, with the same bytes. */
export function keepLease(
  store: Pick<ExportStore, 'renew'>,
  lease: FileLease,
  leaseMs: number,
  log: Log,
): Disposable {
  const renew = () =>
    store
      .renew(lease, leaseMs)
      .catch((err: unknown) => log.warn({ err }, 'the lease of an export could not be renewed'))
  const timer = setInterval(renew, leaseMs / RENEWALS_PER_LEASE)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
