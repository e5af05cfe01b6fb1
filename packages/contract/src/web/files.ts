import Type, { type Static } from 'typebox'
import type { Cluster, GraphContent, Node } from '../document.ts'
import { FolderReference } from '../folders.ts'
import { DocumentId, type TeamFileId, Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Bytes, Nothing } from './bodies.ts'
import { FileFacts } from './file-facts.ts'
import { TeamId } from './people.ts'
import { Role } from './roles.ts'
import { TeamParams } from './team-settings.ts'
import { FILE_KINDS, type FileKind } from './terms.ts'

/** A file of the tree that is not a document, as it appears in lists. It is never part of the API's answers. */
export const FileSummary = Type.Object({
  id: Type.Unsafe<TeamFileId>({ type: 'string' }),
  /** The name of the file with its extension. */
  name: Type.String(),
  kind: Type.Enum(Object.keys(FILE_KINDS) as FileKind[]),
  sizeBytes: Type.Integer(),
  hasThumbnail: Type.Boolean(),
  createdAt: Timestamp,
  /** The time at which this service took in the last change of the file. */
  updatedAt: Timestamp,
})
export type FileSummary = Static<typeof FileSummary>

export const FoundFile = Type.Object({
  ...FileSummary.properties,
  folder: FolderReference,
  isRoot: Type.Boolean(),
})
export type FoundFile = Static<typeof FoundFile>

export const AppFile = Type.Object({
  ...FileSummary.properties,
  team: Type.Object({ id: TeamId, name: Type.String() }),
  role: Role,
  /** The folders from the root to the file's, with the team's name for the root. */
  path: Type.Array(FolderReference),
  /** The time of the last change of the file at the place that it was imported from. Null: not known. */
  modifiedAt: Type.Union([Timestamp, Type.Null()]),
  facts: FileFacts,
  /** The documents that refer to objects of a model, at most `MAX_USERS`. */
  usedBy: Type.Array(Type.Object({ id: DocumentId, name: Type.String() })),
})
export type AppFile = Static<typeof AppFile>

/** The maximum number of documents in `usedBy`. */
export const MAX_USERS = 50

const FileParams = Type.Object({ fileId: Type.String() })
const FileAnswer = Type.Object({ file: AppFile })

/** A model, user object, cluster or text: what it says about itself, and which documents use it. */
export const readFile = appEndpoint({
  method: 'GET',
  path: '/files/:fileId',
  needs: 'viewer',
  params: FileParams,
  response: FileAnswer,
})

/**
 * What a user object or cluster file holds, read from the file each time: the object that it places in definitions,
 * with the contents of clusters.
 */
export const readFileContents = appEndpoint({
  method: 'GET',
  path: '/files/:fileId/contents',
  needs: 'viewer',
  params: FileParams,
  response: Type.Object({
    graph: Type.Unsafe<GraphContent>({
      type: 'object',
      description: 'The graph with the object alone, in the form of the `Document` of the API.',
    }),
    /** The clusters by node id. */
    clusters: Type.Unsafe<Record<string, Cluster>>({
      type: 'object',
      description: '`clusters` as in the `Document` of the API.',
    }),
  }),
  errors: ['file_not_readable'],
})

/** The maximum number of items in a response. */
export const MAX_LIBRARY_ITEMS = 2000

/** The user objects and cluster files of a team that nodes of documents can be traced to, by name. */
export const listLibraryItems = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/library-items',
  needs: 'viewer',
  params: TeamParams,
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.Unsafe<TeamFileId>({ type: 'string' }),
        name: Type.String(),
        /** The origins that `listNodeOrigins` returns for a node that was placed from this item. */
        origins: Type.Array(Type.String()),
      }),
    ),
    /** Whether the team has more items. */
    truncated: Type.Boolean(),
  }),
})

/** A user object or cluster file as something to be placed in documents. */
export const PlaceableItem = Type.Object({
  fileId: Type.Unsafe<TeamFileId>({ type: 'string' }),
  fileName: Type.String(),
  /** The name that the authors gave the object, or else the name of the file without its extension. */
  name: Type.String(),
  nickName: Type.String(),
  description: Type.String(),
  /** The place of the object in the component tabs; empty for cluster files, and for user objects without a place. */
  category: Type.String(),
  subcategory: Type.String(),
  kind: Type.Enum(['user_object', 'cluster']),
  hasIcon: Type.Boolean(),
  /** Why Meadow does not solve the object, as far as its file says; null if it does. */
  unsolved: Type.Union([Type.String(), Type.Null()]),
})
export type PlaceableItem = Static<typeof PlaceableItem>

/** The maximum number of items in a response. */
export const MAX_PLACEABLE_ITEMS = 500

/**
 * The user objects and cluster files of a team that can be placed in documents, by file name. `q` finds items by words
 * of their file names.
 */
export const listPlaceableItems = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/placeable-items',
  needs: 'viewer',
  params: TeamParams,
  query: Type.Object({ q: Type.Optional(Type.String()) }),
  response: Type.Object({
    items: Type.Array(PlaceableItem),
    /** Whether the team has more items. */
    truncated: Type.Boolean(),
  }),
})

/**
 * The node that a user object or cluster file of the team places in a document. The caller adds the node to its live
 * copy, under new ids, with `pasteNodes(doc, { nodes: [node] }, …)` of `@meadow/client/live`. Until then nothing in
 * the document changes.
 */
export const placeLibraryItem = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/placements',
  needs: 'member',
  params: Type.Object({ documentId: Type.String() }),
  body: Type.Object({ fileId: Type.String() }),
  response: Type.Object({
    node: Type.Unsafe<Node>({
      type: 'object',
      description: 'With references in place of large values, which the document may refer to from now on.',
    }),
  }),
  errors: ['file_not_found', 'file_not_readable'],
})

/**
 * The contents of the clusters of a document that were placed from library items. `readAppFile` returns those of an
 * imported file.
 */
export const readPlacedClusters = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/placed-clusters',
  needs: 'viewer',
  params: Type.Object({ documentId: Type.String() }),
  response: Type.Object({
    /** The clusters by node id. */
    clusters: Type.Unsafe<Record<string, Cluster>>({
      type: 'object',
      description: '`clusters` as in the `Document` of the API.',
    }),
  }),
})

/** The file itself, byte for byte as it was imported. Parts of it can be requested with `Range`. */
export const downloadFile = appEndpoint({
  method: 'GET',
  path: '/files/:fileId/content',
  needs: 'viewer',
  params: FileParams,
  response: Bytes,
  errors: ['precondition_failed', 'range_not_satisfiable'],
})

/** The picture of a model, or the icon of a user object or cluster, as PNG. */
export const readFileThumbnail = appEndpoint({
  method: 'GET',
  path: '/files/:fileId/thumbnail',
  needs: 'viewer',
  params: FileParams,
  response: Bytes,
  errors: ['precondition_failed', 'range_not_satisfiable'],
})

/** Rename or move a file; what is left out stays. A name without the extension of the file gets it. */
export const changeFile = appEndpoint({
  method: 'PATCH',
  path: '/files/:fileId',
  needs: 'member',
  params: FileParams,
  body: Type.Object({ name: Type.Optional(Type.String()), folderId: Type.Optional(Type.String()) }),
  response: FileAnswer,
  errors: ['name_not_acceptable', 'folder_not_found', 'folder_of_another_team'],
})

/** Put a file into the bin. */
export const binFile = appEndpoint({
  method: 'DELETE',
  path: '/files/:fileId',
  needs: 'member',
  params: FileParams,
  response: Nothing,
})
