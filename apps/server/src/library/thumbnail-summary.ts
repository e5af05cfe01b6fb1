import type { ThumbnailKind, ThumbnailSummary } from '@meadow/contract/web'
import { type RawBuilder, sql } from 'kysely'

/** Whether a picture is outdated. A picture of geometry is not when nodes have only moved on the canvas. */
const isOutdated = sql`seq < document.seq
  and not (kind = 'geometry' and seq >= coalesce(document.shown_seq, document.seq)
    and document.seq <= coalesce(document.shown_until, 0))`

/** What is known of the picture of a document, as a column of a query of `document`. */
export const thumbnailColumn: RawBuilder<string | null> = sql`(
  select digest || ' ' || kind || ' ' || is_partial || ' '
    || case when ${isOutdated} then 1 else 0 end
  from document_thumbnail where document_id = document.id)`

/** How many characters of a digest are in an address. */
const VERSION_LENGTH = 20

export const toThumbnailVersion = (digest: string): string => digest.slice(0, VERSION_LENGTH)

/**
 * Returns null also for the picture of a graph that has changed, since a new one is made as soon as somebody looks at
 * the graph.
 */
export function toThumbnailSummary(column: string | null): ThumbnailSummary | null {
  if (column === null) return null
  const [digest, kind, isPartial, isOutdated] = column.split(' ') as [string, ThumbnailKind, string, string]
  if (kind === 'graph' && isOutdated === '1') return null
  return {
    version: toThumbnailVersion(digest),
    kind,
    isPartial: isPartial === '1',
    isOutdated: isOutdated === '1',
  }
}
