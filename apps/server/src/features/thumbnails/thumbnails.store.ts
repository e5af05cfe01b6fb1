import { type StoredThumbnail, saveThumbnail, type ThumbnailSource } from '../../content/save-thumbnail.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, SolveKey } from '../../platform/database/tables.ts'

/** The queries about the pictures of documents. */
export interface ThumbnailStore {
  /** Resolves with undefined when the document was deleted. */
  find(document: DocumentKey): Promise<ThumbnailState | undefined>
  save(source: ThumbnailSource, thumbnail: StoredThumbnail): Promise<void>
}

/** The picture of a document, and what it is to show. */
export interface ThumbnailState {
  /** The newest content of the document. */
  seq: number
  /** The newest solve that succeeded, and the digest of its model file, where it has geometry. */
  solve: SolveKey | null
  model: string | null
  picture: (StoredThumbnail & Pick<ThumbnailSource, 'seq' | 'solve'>) | undefined
}

export function createThumbnailStore(database: Database): ThumbnailStore {
  const find = database.prepare((read, { document }: { document: DocumentKey }) =>
    read
      .selectFrom('document')
      .leftJoin('document_thumbnail as picture', 'picture.document_id', 'document.id')
      .leftJoin('solve', (join) =>
        join.on('solve.id', '=', ({ selectFrom }) =>
          selectFrom('solve as newest')
            .whereRef('newest.document_id', '=', 'document.id')
            .where('newest.state', '=', 'solved')
            .orderBy('newest.id', 'desc')
            .limit(1)
            .select('newest.id'),
        ),
      )
      .where('document.id', '=', document)
      .select([
        'document.seq',
        'solve.id as solve',
        'solve.model',
        'picture.digest',
        'picture.kind',
        'picture.is_partial',
        'picture.seq as pictureSeq',
        'picture.solve_id as pictureSolve',
      ]),
  )
  return {
    async find(document) {
      const row = await find.first({ document })
      if (!row) return undefined
      const { seq, solve, model, digest, kind, is_partial, pictureSeq, pictureSolve } = row
      const picture =
        digest === null || kind === null || pictureSeq === null
          ? undefined
          : { digest, kind, isPartial: is_partial === 1, seq: pictureSeq, solve: pictureSolve }
      return { seq, solve, model, picture }
    },
    save: (source, thumbnail) => database.transaction((write) => saveThumbnail(write, source, thumbnail)),
  }
}
