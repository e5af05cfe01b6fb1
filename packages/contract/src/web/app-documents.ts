import Type, { type Static } from 'typebox'
import type { Cluster, GraphContent } from '../document.ts'
import type { DocumentFile } from '../document-file.ts'
import { Export } from '../exports.ts'
import { FolderReference } from '../folders.ts'
import { Timestamp } from '../ids.ts'
import { EXPORT_FORMATS, MODELER_VERSIONS } from '../terms.ts'
import { appEndpoint } from './app-endpoint.ts'
import { AppSummary, ListSummary, Sharing, SolveState } from './app-folders.ts'
import { Nothing } from './bodies.ts'
import { TeamId } from './people.ts'
import { PublicPolicy } from './public-policy.ts'
import { Role } from './roles.ts'

/** The view that a definition was saved at: a screen pixel is canvas × zoom + (x, y). */
export const SavedView = Type.Object({ x: Type.Number(), y: Type.Number(), zoom: Type.Number() })
export type SavedView = Static<typeof SavedView>

export const AppDocument = Type.Object({
  ...AppSummary.properties,
  /** Null for a caller without a role in the team. */
  team: Type.Union([Type.Object({ id: TeamId, name: Type.String() }), Type.Null()]),
  /** Null: the caller is not a member and sees it because it is public. Only `member` and `owner` may edit. */
  role: Type.Union([Role, Type.Null()]),
  /** The time at which the document becomes private. Null: never, it is private, or the caller has no role. */
  publicUntil: Type.Union([Timestamp, Type.Null()]),
  /** The rules of the team for public documents. Null for a caller without a role. */
  publicDocuments: Type.Union([PublicPolicy, Type.Null()]),
  /**
   * The folders from the root to the document's, with the team's name for the root. Empty for a caller without a role.
   */
  path: Type.Array(FolderReference),
  ...ListSummary.properties,
  /** What the team has left, in tenths of a credit. Null for a caller without a role. */
  creditTenths: Type.Union([Type.Integer(), Type.Null()]),
  /** The file that the document was imported from. Null: it was made here, or the caller has no role. */
  fileName: Type.Union([Type.String(), Type.Null()]),
  /**
   * The view of the file that the document was imported from. Null: it was made here, or imported by an older version.
   */
  view: Type.Union([SavedView, Type.Null()]),
})
export type AppDocument = Static<typeof AppDocument>

export const DocumentParams = Type.Object({ documentId: Type.String() })
const DocumentAnswer = Type.Object({ document: AppDocument })

/** What the editor shows around the graph. The graph itself comes through the live connection. */
export const readAppDocument = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId',
  needs: 'visitor',
  params: DocumentParams,
  response: DocumentAnswer,
})

/** The graph as the editors see it now, for visitors, who have no live connection. */
export const readAppGraph = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/graph',
  needs: 'visitor',
  params: DocumentParams,
  response: Type.Object({
    graph: Type.Unsafe<GraphContent>({
      type: 'object',
      description: 'nodes, groups and configuration as in the `Document` of the API.',
    }),
  }),
})

/**
 * What the imported file says about itself, and the contents of its clusters. A document has these only in its imported
 * file.
 */
export const readAppFile = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/file',
  needs: 'visitor',
  params: DocumentParams,
  response: Type.Object({
    /** Null: the document was made here, or the caller has no role. */
    file: Type.Unsafe<DocumentFile | null>({ description: '`file` as in the `Document` of the API.' }),
    /** The clusters by node id. Empty when the document has none, or the caller has no role. */
    clusters: Type.Unsafe<Record<string, Cluster>>({
      type: 'object',
      description: '`clusters` as in the `Document` of the API.',
    }),
  }),
})

/** Digests of what an imported file stores, which no document shows whole: only equality of two of them means anything. */
export const Stored = Type.Object({
  /**
   * The digests by id of node or group and by name of the fact, as `describeStored` returns them. Null: the document
   * was made here, or its file cannot be read.
   */
  stored: Type.Union([Type.Record(Type.String(), Type.Record(Type.String(), Type.String())), Type.Null()]),
})

/** Digests of the data that the imported file stores beside what the document shows, for comparisons. */
export const readAppStored = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/stored',
  needs: 'viewer',
  params: DocumentParams,
  response: Stored,
})

/** A node that Meadow cannot solve, whatever its inputs are. */
export const UnsolvableNode = Type.Object({
  /** The id of the node itself, or of the outermost cluster that contains it. */
  nodeInstanceId: Type.String(),
  /** The name of the component. */
  name: Type.String(),
  kind: Type.Enum(['script', 'plugin', 'component', 'cluster']),
  /** A sentence without its full stop. */
  reason: Type.String(),
  /** The plug-in that it belongs to, in the version that the file was saved with. */
  library: Type.Optional(Type.Object({ name: Type.String(), version: Type.Optional(Type.String()) })),
  /** The name of the cluster that holds it. */
  cluster: Type.Optional(Type.String()),
  /** The ids of the way from that cluster to the node: the clusters between, from the outermost, and the node itself. */
  inside: Type.Optional(Type.Array(Type.String())),
})
export type UnsolvableNode = Static<typeof UnsolvableNode>

/**
 * The nodes of the current document that cannot be solved, with the reasons. The document need not have been solved.
 */
export const readUnsolvable = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/unsolvable',
  needs: 'visitor',
  params: DocumentParams,
  response: Type.Object({
    /** The first thousand nodes. Null: it takes too much time or memory to find out. */
    unsolvable: Type.Union([Type.Array(UnsolvableNode), Type.Null()]),
  }),
})

/** Create an empty document in this folder. */
export const createAppDocument = appEndpoint({
  method: 'POST',
  path: '/folders/:folderId/documents',
  needs: 'member',
  params: Type.Object({ folderId: Type.String() }),
  body: Type.Object({ name: Type.String() }),
  response: DocumentAnswer,
  status: 201,
  errors: ['name_not_acceptable', 'quota_reached'],
})

/** Make a copy beside the document, or in another folder of the team. It is private and not solved. */
export const duplicateDocument = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/duplicate',
  needs: 'member',
  params: DocumentParams,
  body: Type.Object({
    /** The name of the copy, `<name> (copy)` when left out. */
    name: Type.Optional(Type.String()),
    folderId: Type.Optional(Type.String()),
  }),
  response: DocumentAnswer,
  status: 201,
  errors: ['name_not_acceptable', 'folder_not_found', 'folder_of_another_team', 'quota_reached'],
})

/** Rename or move a document, or change who may see it; what is left out stays. */
export const changeAppDocument = appEndpoint({
  method: 'PATCH',
  path: '/documents/:documentId',
  needs: 'member',
  params: DocumentParams,
  body: Type.Object({
    name: Type.Optional(Type.String()),
    folderId: Type.Optional(Type.String()),
    visibility: Type.Optional(Sharing),
    /** The time until which the document is shared. When left out, it is shared for as long as the team allows. */
    publicUntil: Type.Optional(Timestamp),
  }),
  response: DocumentAnswer,
  errors: [
    'name_not_acceptable',
    'folder_not_found',
    'folder_of_another_team',
    'public_not_allowed',
    'public_end_not_acceptable',
  ],
})

/** Put a document into the bin. Open editors are notified, and its links end. */
export const binDocument = appEndpoint({
  method: 'DELETE',
  path: '/documents/:documentId',
  needs: 'member',
  params: DocumentParams,
  response: Nothing,
})

/**
 * Ask for a solve of the document as it is now. Spends credits. Opening a never-solved document asks by itself: the
 * live connection does.
 */
export const askForSolve = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/solves',
  needs: 'member',
  params: DocumentParams,
  response: Type.Object({ solve: SolveState }),
  status: 202,
  errors: ['no_credits'],
})

/**
 * A download link for the document as .gh, or its solution as .3dm. The same link as in the API; it needs no session.
 */
export const exportFromEditor = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/exports',
  needs: 'viewer',
  params: DocumentParams,
  body: Type.Object({
    format: Type.Enum([...EXPORT_FORMATS]),
    modelerVersion: Type.Optional(Type.Enum([...MODELER_VERSIONS])),
  }),
  response: Type.Object({ export: Export }),
  errors: ['modeler_version_not_applicable', 'never_solved', 'solve_running', 'solve_failed'],
})
