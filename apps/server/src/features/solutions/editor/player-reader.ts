import type { AppResponse, readPlayer } from '@meadow/contract/web'
import { LRUCache } from 'lru-cache'
import type { DocumentAccess } from '../../../access/resource-access.store.ts'
import type { DocumentContents } from '../../../content/document-contents.ts'
import type { RequestQuota } from '../../../http/call.ts'
import { HttpError } from '../../../http/http-error.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { DocumentKey } from '../../../platform/database/tables.ts'
import type { SolutionStore, StoredSolution } from '../solutions.store.ts'
import { describeSolution } from './describe-solution.ts'
import type { PlayerValues } from './player-values.ts'
import type { ValuesPool } from './values-pool.ts'

export interface PlayerParts {
  solutions: Pick<SolutionStore, 'findExportable' | 'findState'>
  values: Pick<ValuesPool, 'run'>
  blobs: Pick<BlobStore, 'read'>
  contents: Pick<DocumentContents, 'find'>
  /** The name of a document; undefined when it was deleted. */
  findName(document: DocumentKey): Promise<string | undefined>
}

type Quota = Pick<RequestQuota, 'waitFor' | 'reserve'>

/** Larger values are not read in pages, because they have to be held in memory. */
export const MAX_VALUES_BYTES = 256 * 2 ** 20

/** The size of the cache of what players show, in characters of JSON: their pages ask every few seconds. */
const MAX_CACHED_LENGTH = 8 * 2 ** 20

/**
 * Returns a function that reads what the player of a document shows of its last solution. It says nothing that would tell
 * of the rest of the document: no ids, no counts of nodes, no messages. It throws when the document was deleted.
 */
export function createPlayerReader({ solutions, values, blobs, contents, findName }: PlayerParts) {
  const cached = new LRUCache<string, PlayerValues>({
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: (shown) => JSON.stringify(shown).length,
  })

  async function readShown(
    { team, document }: DocumentAccess,
    stored: StoredSolution | undefined,
    quota: Quota,
  ): Promise<PlayerValues> {
    const content = await contents.find(document, { reserve: quota.reserve })
    if (!content) throw new HttpError('document_not_found')
    const key = `${document} ${content.seq} ${stored?.id}`
    const known = cached.get(key)
    if (known) return known
    const isReadable = stored && stored.values.bytes <= MAX_VALUES_BYTES
    const request = {
      ...{ kind: 'player' as const, content },
      values: isReadable ? stored.values : undefined,
      fingerprint: stored && (await describeSolution(stored, blobs)).fingerprint,
    }
    const shown = (await quota.waitFor(() => values.run(request, { group: String(team) }))) as PlayerValues
    cached.set(key, shown)
    return shown
  }

  return async (access: DocumentAccess, quota: Quota): Promise<AppResponse<typeof readPlayer>> => {
    const { solve } = await solutions.findState(access.document)
    const last = await solutions.findExportable(access.team, access.documentId)
    const stored = last?.state === 'solved' ? last.solution : undefined
    const name = await findName(access.document)
    if (name === undefined) throw new HttpError('document_not_found')
    const { inputs, results, isCurrent, hidden } = await readShown(access, stored, quota)
    return {
      ...{ name, solve, inputs, results },
      solution: stored
        ? {
            ...{ id: stored.id, units: stored.units, isCurrent },
            isComplete: isWhole(stored.completeness),
            geometry: stored.model ? hidden : null,
          }
        : null,
    }
  }
}

const isWhole = (completeness: StoredSolution['completeness']): boolean =>
  completeness === null || (completeness.isComplete && completeness.failed === 0)
