import Type, { type Static } from 'typebox'
import type { Cluster, GraphContent } from '../document.ts'
import { DocumentId, type TeamFileId } from '../ids.ts'
import { Stored } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Bytes } from './bodies.ts'

/** The maximum size of a file in bytes. A larger file is rejected with 413. */
export const MAX_UPLOAD_BYTES = 256 * 1024 * 1024

export const Upload = Type.Object({
  /**
   * - `created`: there is a new document, or a new file of another kind.
   * - `replaced`: the document that came from a file of this name in this folder has the content of this one now.
   * - `unchanged`: that document came from the very same file.
   * - `conflict`: there is such a document, from another file; nothing was done. Ask, and send the file again with
   *   `onConflict`.
   */
  outcome: Type.Enum(['created', 'replaced', 'unchanged', 'conflict']),
  /** The new or replaced document. Null for a model, user object or cluster. */
  documentId: Type.Union([DocumentId, Type.Null()]),
  /** The model, user object or cluster. Null for a document. */
  fileId: Type.Union([Type.Unsafe<TeamFileId>({ type: 'string' }), Type.Null()]),
  name: Type.String(),
  /**
   * True with `conflict` when the document was edited here since it was uploaded, so that replacing it loses those
   * edits.
   */
  wasEdited: Type.Boolean(),
  /** The repairs and omissions of the reader, as sentences. */
  remarks: Type.Array(Type.String()),
})
export type Upload = Static<typeof Upload>

/**
 * Make a document of a .gh or .ghx file, or keep a .3dm, .ghuser, .ghcluster, .txt or .csv file. The body is the file, as
 * `application/octet-stream`. The status is 200 for every outcome.
 */
export const uploadFile = appEndpoint({
  method: 'POST',
  path: '/folders/:folderId/uploads',
  needs: 'member',
  params: Type.Object({ folderId: Type.String() }),
  query: Type.Object({
    /** The file's name, with its extension. */
    fileName: Type.String({ minLength: 1, maxLength: 1000 }),
    /** `ask` when left out: everything stays as it is, and the outcome is `conflict`. */
    onConflict: Type.Optional(Type.Enum(['ask', 'replace', 'copy'])),
  }),
  body: Bytes,
  response: Type.Object({ upload: Upload }),
  errors: [
    'file_kind_not_accepted',
    'file_not_readable',
    'name_not_acceptable',
    'share_exceeded',
    'overloaded',
    'quota_reached',
    'upload_too_slow',
    'upload_broke_off',
  ],
})

/** Read a .gh or .ghx file without storing it, to compare what `uploadFile` would make of it with a document. */
export const previewUpload = appEndpoint({
  method: 'POST',
  path: '/folders/:folderId/upload-previews',
  needs: 'member',
  params: Type.Object({ folderId: Type.String() }),
  query: Type.Object({
    /** The file's name, with its extension. */
    fileName: Type.String({ minLength: 1, maxLength: 1000 }),
  }),
  body: Bytes,
  response: Type.Object({
    graph: Type.Unsafe<GraphContent>({
      type: 'object',
      description: 'nodes, groups and configuration as in the `Document` of the API.',
    }),
    /** The clusters by node id; empty when there are none. */
    clusters: Type.Unsafe<Record<string, Cluster>>({
      type: 'object',
      description: '`clusters` as in the `Document` of the API.',
    }),
    stored: Stored.properties.stored,
  }),
  errors: [
    'file_kind_not_accepted',
    'file_not_readable',
    'name_not_acceptable',
    'share_exceeded',
    'overloaded',
    'upload_too_slow',
    'upload_broke_off',
  ],
})
