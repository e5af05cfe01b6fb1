import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LINK_LIFETIME_MS } from '@meadow/contract/terms'
import { isKilled } from '@meadow/processes'
import { LRUCache } from 'lru-cache'
import { isLimited, keyOfScope, type ResourceScope, teamOf } from '../../access/resource-scope.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createSingleFlight } from '../../platform/concurrency/single-flight.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import type { ProcessPool } from '../../platform/processes/process-pool.ts'
import { keepLease } from '../../platform/queue.ts'
import type { ExportTarget } from './export-target.ts'
import type {
  ExportedSolution,
  ExportedVersion,
  ExportSource,
  ExportStore,
  FileSource,
} from './exports.store.ts'
import type { ExportRequest, MadeFile } from './make-file.ts'

export interface RequestedExport {
  resourceScope: ResourceScope
  /** The document's id as the caller sent it. */
  documentId: string
  target: ExportTarget
  /** A version of the document, and how its content is read; without it the document as it is now. */
  version?: (ExportedVersion & { readContent(): Promise<Uint8Array> }) | undefined
}

/** A file in the blob store that is retained for longer than a link created now is valid. */
export interface ExportFile extends MadeFile {
  /** The document, and the solution that it was made of. */
  source: ExportSource
}

/** Makes the files of exports, each once, in whichever process it is requested first. */
export interface ExportMaker extends AsyncDisposable {
  /**
   * The file, if it was made before. Throws an `HttpError` when it cannot exist. With the database's commit counter, the
   * database is asked only when there was a commit since it was asked for the same file.
   */
  find(requested: RequestedExport, commitCounter?: number): Promise<ExportFile | undefined>
  /**
   * The file, which is made now unless it exists. Throws an `HttpError` when it cannot be made, when making it, queueing
   * included, exceeds the timeout, and when `signal` is aborted.
   */
  get(requested: RequestedExport, signal: AbortSignal): Promise<ExportFile>
}

export interface MakerParts {
  store: ExportStore
  /** Throws an `HttpError` that says why a document has no solution to export (decision 27). */
  requireSolution(resourceScope: ResourceScope, documentId: string): Promise<unknown>
  blobs: BlobStore
  contents: Pick<DocumentContents, 'read'>
  pool: Pick<ProcessPool<ExportRequest, MadeFile>, 'acquire'> & AsyncDisposable
  log: Log
}

export interface MakerOptions {
  /** How long a request waits for a file, queueing included. */
  timeoutMs: number
  /** The memory for what was read of the database for recent links. */
  keptBytes: number
}

/** The timeout is below the two minutes after which idle connections are closed, so that clients get the response. */
export const MAKER_OPTIONS: MakerOptions = { timeoutMs: 100_000, keptBytes: 0 }

/** How often to look for a file that another process makes. */
const POLL_MS = 100
/** Much longer than links are valid, so that most links to a file are created without a write. */
const RETENTION_MS = 24 * LINK_LIFETIME_MS
/** The margin for clocks that differ, and for downloads that are resumed at the last moment. */
const MARGIN_MS = 10 * 60 * 1000

export function createExportMaker(parts: MakerParts, options = MAKER_OPTIONS): ExportMaker {
  const { store, requireSolution, blobs, contents, pool, log } = parts
  const singleFlight = createSingleFlight<ExportFile>()
  const kept = options.keptBytes > 0 ? createKeptSources(options.keptBytes) : undefined

  async function get(requested: RequestedExport, signal: AbortSignal): Promise<ExportFile> {
    const source = await getSource(requested)
    const found = await findFile(source, requested.target)
    if (found) return found
    const timeout = AbortSignal.timeout(options.timeoutMs)
    try {
      const file = await singleFlight.run(
        toCacheKey(source, requested.target),
        AbortSignal.any([signal, timeout]),
        // Whoever asked first, all who wait get the file.
        (unwanted) => make({ ...requested, resourceScope: teamOf(requested.resourceScope) }, unwanted),
      )
      // The document may have been moved out of scope meanwhile.
      if (isLimited(requested.resourceScope)) await getSource(requested)
      return file
    } catch (error) {
      if (signal.aborted) throw new HttpError('stopping', { headers: { 'retry-after': '5' } })
      if (timeout.aborted) throw new HttpError('export_not_in_time')
      throw error
    }
  }

  /** Finds the source as it is now: without another commit, it is the one that was read before. */
  async function findSource(requested: RequestedExport, commitCounter?: number): Promise<ExportSource> {
    const { resourceScope, documentId, target } = requested
    const key = `${keyOfScope(resourceScope)} ${documentId} ${target.format}`
    const known = kept?.get(key)
    if (known && known.commitCounter === commitCounter) return known.source
    const source = await getSource(requested)
    if (commitCounter !== undefined) kept?.set(key, { source, commitCounter })
    return source
  }

  async function getSource({
    resourceScope,
    documentId,
    target,
    version,
  }: RequestedExport): Promise<ExportSource> {
    if (version) {
      const found = await store.findVersion(teamOf(resourceScope), documentId, version, target.format)
      if (!found) throw new HttpError('document_not_found')
      if (target.format === '.3dm' && !found.solution) throw new HttpError('version_without_solution')
      return found
    }
    const source = await store.find(resourceScope, documentId, target.format)
    if (source) return source
    await requireSolution(resourceScope, documentId)
    // The document was solved in between.
    const solved = await store.find(resourceScope, documentId, target.format)
    if (!solved) throw new HttpError('document_not_found')
    return solved
  }

  async function findFile(source: ExportSource, target: ExportTarget): Promise<ExportFile | undefined> {
    if (target.format === '.3dm') {
      const { model, modelFault } = solutionOf(source)
      if (!model && modelFault !== null) throw new HttpError('model_missing')
      // The solve has written its model in this form, and it is retained for longer than links are valid.
      if (target.archiveVersion === 7 && model)
        return { digest: model.digest, bytes: model.bytes, warnings: [], source }
    }
    const cacheKey = toCacheKey(source, target)
    const file = source.files.find((made) => made.cacheKey === cacheKey)
    if (!file) return undefined
    const { key, retainedUntil, digest, bytes, warnings } = file
    if (!(await blobs.has(digest))) {
      log.error({ document: source.documentId, digest }, 'the file of an export is missing')
      await store.delete(key)
      return undefined
    }
    const now = store.now()
    const isRetained =
      retainedUntil > now + LINK_LIFETIME_MS + MARGIN_MS || (await store.retain(key, now + RETENTION_MS))
    return isRetained ? { digest, bytes, warnings, source } : undefined
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

  /**
   * Makes the file; resolves with undefined while another process holds the lease, and when it was lost to one. What
   * the file is made of is read when the permit is acquired.
   */
  async function tryMake(requested: RequestedExport, unwanted: AbortSignal): Promise<ExportFile | undefined> {
    using permit = await pool.acquire({ group: String(teamOf(requested.resourceScope)), signal: unwanted })
    const { target } = requested
    const source = await getSource(requested)
    const found = await findFile(source, target)
    if (found) return found
    const content = target.format === '.gh' ? await readContent(source, requested.version) : undefined
    const current = content ? { ...source, seq: content.seq } : source
    const lease = await store.lease(toFileSource(current, target))
    if (!lease) return undefined
    // If it is lost nevertheless, the file is made twice, with the same bytes.
    using _ = keepLease({
      leaseMs: store.leaseMs,
      renew: () => store.renew(lease),
      onError: (err) => log.warn({ err }, 'the lease of an export could not be renewed'),
    })
    const startedAt = performance.now()
    const logged = { document: source.documentId, solution: source.solution?.id, ...target }
    try {
      const file = await permit.run(toRequest(current, target, content?.value))
      const isOurs = await store.complete(lease, file, store.now() + RETENTION_MS)
      const durationMs = Math.round(performance.now() - startedAt)
      log.info(
        { ...logged, bytes: file.bytes, warnings: file.warnings.length, durationMs },
        'an export was made',
      )
      return isOurs ? { ...file, source: current } : undefined
    } catch (error) {
      // An outage of the database does not concern the export, and the lease will expire.
      if (findUnavailable(error)) throw error
      await store.abandon(lease)
      if (isKilled(error)) throw error
      log.error({ ...logged, err: error }, 'an export could not be made')
      throw new HttpError('export_not_made', { cause: error })
    }
  }

  async function readContent({ document, seq }: ExportSource, version: RequestedExport['version']) {
    if (version) return { seq, value: await version.readContent() }
    const content = await contents.read(document, { seq })
    if (!content) throw new HttpError('document_not_found')
    return content
  }

  return {
    async find(requested, commitCounter) {
      const file = await findFile(await findSource(requested, commitCounter), requested.target)
      return file && addPartialWarning(file, requested.target)
    },
    get: async (requested, signal) => addPartialWarning(await get(requested, signal), requested.target),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await singleFlight.settled()
    },
  }
}

interface KeptSource {
  source: ExportSource
  /** The commit counter from before the source was read. */
  commitCounter: number
}

/** What a source takes, without its files. */
const SOURCE_BYTES = 1000

const createKeptSources = (maxBytes: number) =>
  new LRUCache<string, KeptSource>({
    maxSize: maxBytes,
    sizeCalculation: ({ source }) => SOURCE_BYTES + JSON.stringify(source.files).length,
  })

/** A model of a partial solution lacks geometry without a trace of it in the file, so a warning says so. */
function addPartialWarning(file: ExportFile, target: ExportTarget): ExportFile {
  if (target.format !== '.3dm') return file
  const { completeness } = solutionOf(file.source)
  if (!completeness || completeness.isComplete) return file
  const { nodes, unsupported, unknown } = completeness
  const warning =
    `The solution is partial: ${unsupported + unknown} of ${nodes} nodes could not be solved, ` +
    'and the model lacks their geometry.'
  return { ...file, warnings: [warning, ...file.warnings] }
}

/** The solution that a model is made of: without one, `getSource` throws. */
function solutionOf({ documentId, solution }: ExportSource): ExportedSolution {
  if (!solution) throw new Error(`The document ${documentId} has no solution to export.`)
  return solution
}

/** Raise this when the same input gives other bytes than before, so that files are made again. */
const WRITER_VERSION = 2

/**
 * Returns a key that differs whenever the bytes may. A definition is made from the document's current content and name.
 * A model is made from a solve; it is the same for all modeler versions with the same archive version.
 */
function toCacheKey(source: ExportSource, target: ExportTarget): string {
  if (target.format === '.3dm')
    return `.3dm ${WRITER_VERSION} ${target.archiveVersion} ${solutionOf(source).id}`
  const { documentId, seq, name } = source
  const nameHash = hash('sha256', name).slice(0, 16)
  return `.gh ${WRITER_VERSION} ${documentId} ${seq} ${nameHash}`
}

function toFileSource(source: ExportSource, target: ExportTarget): FileSource {
  const { document, seq } = source
  const made = target.format === '.3dm' ? { seq: null, solve: solutionOf(source).key } : { seq, solve: null }
  return { cacheKey: toCacheKey(source, target), document, ...made }
}

function toRequest(
  source: ExportSource,
  target: ExportTarget,
  content: Uint8Array | undefined,
): ExportRequest {
  const { documentId, name, updatedAt, original, reading } = source
  if (target.format === '.3dm') {
    const { format, archiveVersion } = target
    const { model, units, solvedAt } = solutionOf(source)
    return { format, documentId, archiveVersion, model, units, solvedAt }
  }
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
