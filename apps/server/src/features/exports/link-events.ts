import type { DocumentId, TokenId } from '@meadow/contract'
import { LINK_LIFETIME_MS } from '@meadow/contract/terms'
import { LRUCache } from 'lru-cache'
import { recordEvent } from '../../audit/record-event.ts'
import type { RequestContext } from '../../audit/request-context.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { limitEntries } from '../../platform/limit-entries.ts'
import type { ExportTarget } from './export-target.ts'

/** A link that is about to be handed out. */
export interface HandedOutLink {
  team: TeamKey
  document: { id: DocumentId; name: string }
  target: ExportTarget
  /** The digest of the file. */
  digest: string
}

/**
 * Records that links to exports were handed out, before they are: the first one to a file for a caller at an address, and
 * again an hour later. So the audit log has whoever could have had a link at any time, whatever ends the process, and
 * scripts that ask again and again cost no writes.
 */
export interface LinkEvents {
  /** Whether {@link record} would write nothing, since that was recorded within the hour. */
  isRecorded(link: HandedOutLink, context: LinkContext): boolean
  /** Resolves when it is committed that the caller gets such links; undefined when that was recorded within the hour. */
  record(link: HandedOutLink, context: RequestContext): Promise<void> | undefined
}

/** Who gets a link. */
type LinkContext = Pick<RequestContext, 'actor' | 'session' | 'address'>

/** How many callers and files a process remembers. */
const MAX_REMEMBERED = 10_000
/** How many links one transaction records. */
const MAX_AT_ONCE = 500

interface Waiting {
  key: string
  link: HandedOutLink
  context: RequestContext
  resolve(): void
  reject(error: unknown): void
}

/** Links that come while others are being written are written together afterwards. */
export function createLinkEvents(database: Pick<Database, 'transaction'>): LinkEvents {
  const recorded = new LRUCache<string, true>({ ...limitEntries(MAX_REMEMBERED), ttl: LINK_LIFETIME_MS })
  const pending = new Map<string, Promise<void>>()
  const waiting: Waiting[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    // One tick of the event loop later, links of other requests go into the same transaction.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_AT_ONCE)
      try {
        await database.transaction((write) => recordAll(write, batch))
        for (const { key, resolve } of batch) {
          recorded.set(key, true)
          resolve()
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      for (const { key } of batch) pending.delete(key)
    }
    isWriting = false
  }

  return {
    isRecorded: (link, context) => recorded.has(keyOf(link, context)),
    record(link, context) {
      const key = keyOf(link, context)
      if (recorded.has(key)) return undefined
      const known = pending.get(key)
      if (known) return known
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      pending.set(key, promise)
      waiting.push({ key, link, context, resolve, reject })
      if (!isWriting) void writeAll()
      return promise
    },
  }
}

const keyOf = ({ document, target, digest }: HandedOutLink, { actor, session, address }: LinkContext) =>
  `${actor.id} ${session} ${address} ${document.id} ${digest} ${target.modelerVersion}`

async function recordAll(write: Write, batch: readonly Waiting[]): Promise<void> {
  const tokens = batch.flatMap(({ context }) => (context.token as TokenId | undefined) ?? [])
  const names = await findTokenNames(write, [...new Set(tokens)])
  for (const { link, context } of batch) {
    const { actor, token } = context
    recordEvent(write, {
      ...context,
      actor: token === undefined ? actor : { ...actor, name: names.get(token) },
      action: 'export.linked',
      team: link.team,
      target: { kind: 'document', ...link.document },
      details: { ...link.target, sha256: link.digest },
    })
  }
}

async function findTokenNames(write: Write, ids: readonly TokenId[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const tokens = write.selectFrom('token').where('public_id', 'in', ids).select(['public_id as id', 'name'])
  return new Map((await tokens.execute()).map(({ id, name }) => [id, name]))
}
