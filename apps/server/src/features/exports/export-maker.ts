import { LINK_LIFETIME_MS } from '@meadow/contract'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentContents } from '../../content/document-contents.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createSingleFlight } from '../../platform/concurrency/single-flight.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import type { ProcessPool } from '../../platform/processes/process-pool.ts'
import type { ExportRequest,MadeFile } from './export-request.ts'
import type { ExportTarget } from './export-target.ts'
import type { Exportable,ExportFacts } from './exportable.ts'
import type { ExportStore } from './exports.store.ts'
import { toRecipe } from './file-recipe.ts'
import { keepClaim } from './keep-claim.ts'

export interface WantedExport {
  team: TeamKey
  solution: Exportable
  target: ExportTarget
}

/** A file that is there, and stays for as long as a link that is made now leads to it. */
export interface ExportFile extends MadeFile {
  /** Of the document, as it is now. */
  documentName: string
}

/** Gives the files of exports, each of which is made once, by whichever process is asked first. */
export interface ExportMaker extends AsyncDisposable {
  /** The file, if it was made before. Refuses where there will never be one. */
  find(wanted: WantedExport): Promise<ExportFile | undefined>
  /**
   * The file, made now if it was not before: in its turn, for which it waits as long as `options` allow. Refuses when
   * that was too long, when it cannot be made, and when `hurry` is raised.
   */
  get(wanted: WantedExport, hurry: AbortSignal): Promise<ExportFile>
}

export interface MakerParts {
  store: ExportStore
  blobs: BlobStore
  contents: Pick<DocumentContents, 'read'>
  pool: Pick<ProcessPool<ExportRequest, MadeFile>, 'acquire'> & AsyncDisposable
  log: Log
}

export interface MakerOptions {
  /** How long a request waits for a file, its turn and the making together. */
  patienceMs: number
  /** After how long without a sign of life of who makes a file somebody else may make it. */
  leaseMs: number
}

/** Below the two minutes after which a connection that nothing moves on is closed: they get the sentence. */
export const MAKER_OPTIONS: MakerOptions = { patienceMs: 100_000, leaseMs: 10_000 }

/** How often to look for a file that another process makes. */
const POLL_MS = 100
/** Links are made to a file without a write as long as it is kept for longer than they live. */
const KEPT_MS = 24 * LINK_LIFETIME_MS
/** For clocks that differ, and downloads that are resumed at the last moment. */
const SPARE_MS = 10 * 60 * 1000

export function createExportMaker(parts: MakerParts, options = MAKER_OPTIONS): ExportMaker {
  const { store, blobs, contents, pool, log } = parts
  const shared = createSingleFlight<ExportFile>()

  async function getFacts({ solution }: WantedExport): Promise<ExportFacts> {
    const facts = await store.findFacts(solution.document, solution.key)
    if (!facts) throw new HttpError('document_not_found')
    return facts
  }

  async function findFile(wanted: WantedExport, facts: ExportFacts): Promise<ExportFile | undefined> {
    const { solution, target } = wanted
    const documentName = facts.name
    if (target.format === '.3dm' && !solution.model && facts.modelFault !== null)
      throw new HttpError('model_missing')
    // A solve leaves its model in that form, and keeps it longer than any link lives.
    if (target.archiveVersion === 7 && solution.model) {
      const { digest, bytes } = solution.model
      return { digest, bytes, warnings: [], documentName }
    }
    const file = await store.findFile(toRecipe(solution, target, facts).madeOf)
    if (!file) return undefined
    if (!(await blobs.has(file.digest))) {
      log.error({ document: solution.documentId, digest: file.digest }, 'the file of an export is missing')
      await store.forget(file.key)
      return undefined
    }
    const { key, keptUntil, digest, bytes, warnings } = file
    const now = Date.now()
    const isKept = keptUntil > now + LINK_LIFETIME_MS + SPARE_MS || (await store.keep(key, now + KEPT_MS))
    return isKept ? { digest, bytes, warnings, documentName } : undefined
  }

  /** Of what the document holds when it is the file's turn: that may be more than when it was asked for. */
  async function make(wanted: WantedExport, unwanted: AbortSignal): Promise<ExportFile> {
    for (;;) {
      const made = await makeInTurn(wanted, unwanted)
      if (made) return made
      // Somebody else makes it, and needs the turn perhaps.
      await sleep(POLL_MS, undefined, { signal: unwanted })
    }
  }

  async function makeInTurn(wanted: WantedExport, unwanted: AbortSignal): Promise<ExportFile | undefined> {
    using turn = await pool.acquire({ group: String(wanted.team), signal: unwanted })
    const facts = await getFacts(wanted)
    const before = await findFile(wanted, facts)
    if (before) return before
    const content = wanted.target.format === '.gh' ? await readContent(wanted, facts) : undefined
    const current = content ? { ...facts, seq: content.seq } : facts
    const claim = await store.claim(toRecipe(wanted.solution, wanted.target, current), options.leaseMs)
    if (!claim) return findFile(wanted, current)
    using _ = keepClaim(store, claim, options.leaseMs, log)
    const startedAt = performance.now()
    const said = { document: wanted.solution.documentId, solution: wanted.solution.id, ...wanted.target }
    try {
      const file = await turn.run(toRequest(wanted, current, content?.value))
      await store.end(claim, file, Date.now() + KEPT_MS)
      const durationMs = Math.round(performance.now() - startedAt)
      log.info(
        { ...said, bytes: file.bytes, warnings: file.warnings.length, durationMs },
        'an export was made',
      )
    } catch (error) {
      // Nothing is wrong with the export, and its lease will end.
      if (findUnavailable(error)) throw error
      await store.giveUp(claim)
      log.error({ ...said, err: error }, 'an export could not be made')
      throw new HttpError('export_not_made', { cause: error })
    }
    return findFile(wanted, current)
  }

  async function readContent({ solution }: WantedExport, { seq }: ExportFacts) {
    const content = await contents.read(solution.document, { seq })
    if (!content) throw new HttpError('document_not_found')
    return content
  }

  return {
    find: async (wanted) => findFile(wanted, await getFacts(wanted)),
    async get(wanted, hurry) {
      const facts = await getFacts(wanted)
      const found = await findFile(wanted, facts)
      if (found) return found
      const late = AbortSignal.timeout(options.patienceMs)
      const key = toRecipe(wanted.solution, wanted.target, facts).madeOf
      try {
        return await shared.run(key, AbortSignal.any([hurry, late]), (unwanted) => make(wanted, unwanted))
      } catch (error) {
        if (hurry.aborted) throw new HttpError('stopping', { headers: { 'retry-after': '5' } })
        if (late.aborted) throw new HttpError('export_not_in_time')
        throw error
      }
    },
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await shared.settled()
    },
  }
}

function toRequest(
  { solution, target }: WantedExport,
  facts: ExportFacts,
  content: Uint8Array | undefined,
): ExportRequest {
  const { documentId, model } = solution
  if (target.format === '.3dm') {
    const { format, archiveVersion } = target
    return { format, documentId, archiveVersion, model, solvedAt: facts.solvedAt }
  }
  const { name, updatedAt, original } = facts
  return {
    format: target.format,
    id: documentId,
    name,
    updatedAt: new Date(updatedAt).toISOString(),
    content: content!,
    original,
  }
}
