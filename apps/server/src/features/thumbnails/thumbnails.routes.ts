import { readThumbnail } from '@meadow/contract/web'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { StoredThumbnail } from '../../content/save-thumbnail.ts'
import { StoredFile, serveApp } from '../../http/app-api/app-route.ts'
import { HttpError } from '../../http/http-error.ts'
import { toThumbnailVersion } from '../../library/thumbnail-summary.ts'
import { createSingleFlight } from '../../platform/concurrency/single-flight.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import type { ThumbnailPool } from './thumbnail-pool.ts'
import type { ThumbnailState, ThumbnailStore } from './thumbnails.store.ts'

export interface ThumbnailParts {
  store: ThumbnailStore
  contents: Pick<DocumentContents, 'find'>
  pool: Pick<ThumbnailPool, 'run'>
}

export const thumbnailRoutes = ({ store, contents, pool }: ThumbnailParts) => {
  const making = createSingleFlight<StoredThumbnail>()

  /** Makes the picture that a solver did not make, such as that of a graph. */
  async function make(document: DocumentKey, { solve, model }: ThumbnailState, group: string) {
    const content = await contents.find(document)
    if (!content) throw new HttpError('document_not_found')
    const thumbnail = await pool.run({ content, model }, { group })
    await store.save({ document, seq: content.seq, solve }, thumbnail)
    return thumbnail
  }

  return [
    serveApp(readThumbnail, async ({ access, query, quota, signal }) => {
      const { document, team } = access
      const state = await store.find(document)
      if (!state) throw new HttpError('document_not_found')
      const key = `${document} ${state.solve} ${state.seq}`
      const thumbnail = isCurrent(state)
        ? state.picture!
        : await quota.waitFor(() => making.run(key, signal, () => make(document, state, String(team))))
      return new StoredFile({
        digest: thumbnail.digest,
        fileName: `${access.documentId}.png`,
        mediaType: 'image/png',
        isImmutable: query.version === toThumbnailVersion(thumbnail.digest),
      })
    }),
  ]
}

/**
 * Whether the picture is that of the newest solution, and if it is one of the graph, of the newest content. A picture of
 * geometry stays until there is another solution.
 */
function isCurrent({ seq, solve, picture }: ThumbnailState): boolean {
  if (!picture || picture.solve !== solve) return false
  return picture.kind === 'geometry' || picture.seq === seq
}
