import Type, { type Static } from 'typebox'
import { appEndpoint } from './app-endpoint.ts'
import { Bytes } from './bodies.ts'

export const ThumbnailKind = Type.Enum(['geometry', 'graph'])
export type ThumbnailKind = Static<typeof ThumbnailKind>

/** What lists know of the picture of a document. */
export const ThumbnailSummary = Type.Object({
  /** The version of the picture, which is part of its address: a picture with this version never changes. */
  version: Type.String(),
  kind: ThumbnailKind,
  /** Whether geometry is missing, because drawing it would have taken too long. */
  isPartial: Type.Boolean(),
  /** Whether the document has changed since the picture was made. */
  isOutdated: Type.Boolean(),
})
export type ThumbnailSummary = Static<typeof ThumbnailSummary>

/**
 * A picture of the last solution, or of the graph where that has no geometry, as PNG. With the current version of the
 * summary, browsers keep the answer without asking again.
 */
export const readThumbnail = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/thumbnail',
  needs: 'visitor',
  params: Type.Object({ documentId: Type.String() }),
  query: Type.Object({ version: Type.Optional(Type.String()) }),
  response: Bytes,
  errors: ['precondition_failed', 'range_not_satisfiable'],
})
