import type { GraphContent } from '@meadow/contract'
import type { UseReference, UsingNode } from '@meadow/contract/web'
import { JobFailure } from '@meadow/processes'
import { CLUSTER, listKinds } from '@meadow/solver'
import type { StoredJson } from '../../../content/content.store.ts'
import type { DocumentContents } from '../../../content/document-contents.ts'
import type { Reserve } from '../../../content/stored-json.ts'
import type { BlobsLocation } from '../../../platform/blobs/open-blobs.ts'
import type { DocumentKey, TeamKey } from '../../../platform/database/tables.ts'
import {
  CONTENT_MEMORY,
  DEFAULT_POOL_LIMITS,
  type PoolLimits,
  toPoolOptions,
} from '../../../platform/processes/pool-limits.ts'
import { openProcessPool } from '../../../platform/processes/process-pool.ts'
import { findSystemReason } from '../../../platform/system-errors.ts'
import { MAX_INLINE_BYTES } from '../../../team/content-blobs.ts'
import { type DocumentUses, listDocumentUses } from './document-uses.ts'
import { hash } from './uses-of-node.ts'

/** A document, and the digest of the file that holds its clusters; with `reference`, its nodes are listed. */
export interface UsesRequest {
  content: StoredJson
  original: string | undefined
  reference?: UseReference | undefined
  /** The ids of a model's objects, or what nodes say that were placed from a library item. */
  keys?: readonly string[] | undefined
}

export type UsesResult = { uses: DocumentUses } | { nodes: UsingNode[] }

/** A document whose content could not be read. */
export interface UnreadDocument {
  /** A sentence without its full stop. */
  gap: string
}

export interface ReadOptions {
  signal?: AbortSignal
  /** Called before a content is read into memory. */
  reserve?: Reserve
}

/** A document as the indexer finds it. */
export interface DocumentToRead {
  key: DocumentKey
  /** The digest of the file that it was imported from. */
  source: string | null
}

/**
 * Reads what documents use. Small contents without clusters are read here, since that takes a millisecond; everything
 * else, and every file, in child processes.
 */
export interface UsesReader extends AsyncDisposable {
  /** Resolves with undefined when the document was deleted. */
  read(
    document: DocumentToRead,
    options?: ReadOptions,
  ): Promise<{ seq: number; uses: DocumentUses | UnreadDocument } | undefined>
  /** Lists nodes that use something; null when it takes too much time or memory, undefined for a deleted document. */
  listNodes(
    document: DocumentToRead,
    team: TeamKey,
    wanted: Pick<UsesRequest, 'reference' | 'keys'>,
    options?: ReadOptions,
  ): Promise<UsingNode[] | null | undefined>
}

/** Raise it when the same documents give other uses. */
const FORMAT = 2

/** Differs between Meadows that find different things in the same documents: what cannot be solved depends on the solver. */
export const findReaderVersion = (): string =>
  `${FORMAT} ${hash(
    listKinds()
      .flatMap(({ guids }) => guids)
      .sort()
      .join(),
  )}`

/** The group of the indexer among the callers: it leaves a process to people. */
const INDEXER = 'indexer'

export function openUsesReader(
  contents: Pick<DocumentContents, 'find'>,
  blobs: BlobsLocation,
  limits: PoolLimits = DEFAULT_POOL_LIMITS.definitions,
): UsesReader {
  const pool = openProcessPool<UsesRequest, UsesResult>({
    name: 'uses',
    module: new URL('./uses-job.ts', import.meta.url),
    blobs,
    ...toPoolOptions({ ...limits, processes: Math.max(2, limits.processes) }, CONTENT_MEMORY),
  })

  /** Resolves with the failure of a job that exceeds a limit or crashes its process. */
  async function run(
    request: UsesRequest,
    group: string,
    signal?: AbortSignal,
  ): Promise<UsesResult | JobFailure> {
    try {
      return await pool.run(request, { group, ...(signal && { signal }) })
    } catch (error) {
      const isOfJob = error instanceof JobFailure && error.kind !== 'threw' && error.kind !== 'killed'
      if (isOfJob && !findSystemReason(error)) return error
      throw error
    }
  }

  return {
    async read({ key, source }, { signal, reserve } = {}) {
      const content = await contents.find(key, reserve ? { reserve } : {})
      if (!content) return undefined
      const { seq, ...stored } = content
      const small = readSmall(stored, source)
      if (small) return { seq, uses: small }
      const result = await run({ content: stored, original: source ?? undefined }, INDEXER, signal)
      if (result instanceof JobFailure)
        return { seq, uses: { gap: `It cannot be read: ${describe(result, limits)}` } }
      if (!('uses' in result)) throw new Error('The reader of uses answered another question.')
      return { seq, uses: result.uses }
    },

    async listNodes({ key, source }, team, wanted, { signal, reserve } = {}) {
      const content = await contents.find(key, reserve ? { reserve } : {})
      if (!content) return undefined
      const { seq: _, ...stored } = content
      const request = { content: stored, original: source ?? undefined, ...wanted }
      const result = await run(request, String(team), signal)
      return 'nodes' in result ? result.nodes : null
    },

    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

const NO_CLUSTERS = new Map()

/** Returns undefined for a content that has to be read in a child process. */
function readSmall(stored: StoredJson, source: string | null): DocumentUses | undefined {
  if (!('bytes' in stored) || stored.bytes.length > MAX_INLINE_BYTES) return undefined
  const content: GraphContent = JSON.parse(new TextDecoder().decode(stored.bytes))
  const hasClusters = Object.values(content.nodes).some(({ templateId }) => templateId === CLUSTER)
  return hasClusters && source !== null ? undefined : listDocumentUses(content, NO_CLUSTERS)
}

function describe({ kind }: JobFailure, { cpuMs }: PoolLimits): string {
  if (kind === 'memory') return 'it takes too much memory'
  if (kind === 'time') return `it takes more than ${cpuMs / 1000} s`
  return 'the process that read it ended'
}
