import Type, { type Static } from 'typebox'
import type { Cluster, GraphContent } from '../document.ts'
import type { DocumentFile } from '../document-file.ts'
import { Export } from '../exports.ts'
import { SolutionId, Timestamp } from '../ids.ts'
import { EXPORT_FORMATS, MODELER_VERSIONS } from '../terms.ts'
import { AppDocument, DocumentParams, Stored } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { After, Next, Nothing } from './bodies.ts'
import { EditorSolution } from './editor-solution.ts'
import { PersonReference } from './people.ts'
import { CHANGE_AUTHOR_KINDS, MAX_VERSION_NAME, VERSION_KINDS } from './terms.ts'

/** Who made changes between two versions. */
export const VersionAuthor = Type.Object({
  kind: Type.Enum([...CHANGE_AUTHOR_KINDS]),
  /** The account of the person or agent, or of whoever uploaded the file. Null: there is none, or it is deleted. */
  person: Type.Union([PersonReference, Type.Null()]),
  changes: Type.Integer({ description: 'How many changes of the log are theirs.' }),
})
export type VersionAuthor = Static<typeof VersionAuthor>

/** The document as it was after one of its changes. */
export const DocumentVersion = Type.Object({
  id: Type.String(),
  /** The position in the document’s log of changes: later versions have higher ones. */
  seq: Type.Integer(),
  /** The time of the last change that the version contains. */
  at: Timestamp,
  /** Why the version was kept. */
  kind: Type.Enum([...VERSION_KINDS]),
  /** Null: the version was not named. */
  name: Type.Union([Type.String(), Type.Null()]),
  isPinned: Type.Boolean(),
  /** The person who named the version last. Null: nobody, or a deleted account. */
  namedBy: Type.Union([PersonReference, Type.Null()]),
  /**
   * The authors of the changes since the previous version, those with the most changes first. Empty where they were not
   * recorded.
   */
  authors: Type.Array(VersionAuthor),
  nodes: Type.Integer(),
  wires: Type.Integer(),
  /** The solution of this content. Null: it was never solved, or its solution is not kept any more. */
  solutionId: Type.Union([SolutionId, Type.Null()]),
  /** The name of the imported file that belongs to it. Null: made in Meadow. */
  fileName: Type.Union([Type.String(), Type.Null()]),
})
export type DocumentVersion = Static<typeof DocumentVersion>

/** The changes of the live document since its last version. */
export const UnversionedChanges = Type.Object({
  seq: Type.Integer(),
  at: Timestamp,
  authors: Type.Array(VersionAuthor),
})
export type UnversionedChanges = Static<typeof UnversionedChanges>

/** The versions of a document, the newest first, 100 at a time. */
export const listVersions = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/versions',
  needs: 'viewer',
  params: DocumentParams,
  query: Type.Object({
    after: After,
    /** `kept` lists only the versions that are named or pinned. */
    only: Type.Optional(Type.Enum(['kept'])),
  }),
  response: Type.Object({
    /** Null when the newest version is the document as it is now. */
    current: Type.Union([UnversionedChanges, Type.Null()]),
    versions: Type.Array(DocumentVersion),
    next: Next,
  }),
})

const VersionName = Type.String({ description: `1 to ${MAX_VERSION_NAME} characters.` })
const VersionParams = Type.Object({ documentId: Type.String(), versionId: Type.String() })
const VersionAnswer = Type.Object({ version: DocumentVersion })

/**
 * Keep the document as it is now as a version, with a name. It is kept until someone deletes it. If the document did
 * not change since its last version, that version is named.
 */
export const createVersion = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/versions',
  needs: 'member',
  params: DocumentParams,
  body: Type.Object({ name: VersionName }),
  response: VersionAnswer,
  status: 201,
  errors: ['version_name_not_acceptable'],
})

/** One version of a document. */
export const readVersion = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/versions/:versionId',
  needs: 'viewer',
  params: VersionParams,
  response: VersionAnswer,
  errors: ['version_not_found'],
})

/**
 * The graph of a version, in the form in which `readAppGraph` returns that of the document. The response for a version
 * never changes.
 */
export const readVersionGraph = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/versions/:versionId/graph',
  needs: 'viewer',
  params: VersionParams,
  response: Type.Object({
    graph: Type.Unsafe<GraphContent>({
      type: 'object',
      description: 'nodes, groups and configuration as in the `Document` of the API.',
    }),
  }),
  errors: ['version_not_found'],
})

/**
 * Digests of the data that the imported file of a version stores, as `readAppStored` returns them. The response for a
 * version never changes.
 */
export const readVersionStored = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/versions/:versionId/stored',
  needs: 'viewer',
  params: VersionParams,
  response: Stored,
  errors: ['version_not_found'],
})

/**
 * What the imported file of a version says about itself, and the contents of its clusters. The response for a version
 * never changes.
 */
export const readVersionFile = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/versions/:versionId/file',
  needs: 'viewer',
  params: VersionParams,
  response: Type.Object({
    /** Null: the document was made in Meadow. */
    file: Type.Unsafe<DocumentFile | null>({ description: '`file` as in the `Document` of the API.' }),
    /** The clusters by node id; empty when the version has none. */
    clusters: Type.Unsafe<Record<string, Cluster>>({
      type: 'object',
      description: '`clusters` as in the `Document` of the API.',
    }),
  }),
  errors: ['version_not_found'],
})

/** The counts of the solution of a version. `readPortData` and `readEditorScene` take the id of the solution. */
export const readVersionSolution = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/versions/:versionId/solution',
  needs: 'viewer',
  params: VersionParams,
  response: Type.Object({
    /** Null: the version was never solved, or its solution is not kept any more. */
    solution: Type.Union([EditorSolution, Type.Null()]),
  }),
  errors: ['version_not_found'],
})

/** Name a version or pin it, so that it is kept, or undo that; what is left out stays. */
export const changeVersion = appEndpoint({
  method: 'PATCH',
  path: '/documents/:documentId/versions/:versionId',
  needs: 'member',
  params: VersionParams,
  body: Type.Object({
    /** The new name; null removes the name. */
    name: Type.Optional(Type.Union([VersionName, Type.Null()])),
    isPinned: Type.Optional(Type.Boolean()),
  }),
  response: VersionAnswer,
  errors: ['version_not_found', 'version_name_not_acceptable'],
})

/** Delete a version permanently. The document stays as it is. */
export const deleteVersion = appEndpoint({
  method: 'DELETE',
  path: '/documents/:documentId/versions/:versionId',
  needs: 'owner',
  needsFreshSignIn: true,
  params: VersionParams,
  response: Nothing,
  errors: ['version_not_found'],
})

/**
 * Restore a version. The document becomes what it was in the version. Before that, the document as it is now is kept
 * as a version.  With `appliedBy: 'server'` the server makes the change, as one change of the log, and every open
 * editor receives it. With `appliedBy: 'caller'` the caller makes it in its own live copy, with `replaceContent(doc,
 * content, origin)` of `@meadow/client/live`, so that its undo reverts it. In both cases the imported file of the
 * version belongs to the document again, so that the contents of clusters and exports are those of the version. A
 * caller who undoes its edit gets the other file back by restoring `before` in the same way, without making an edit.
 */
export const restoreVersion = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/versions/:versionId/restore',
  needs: 'member',
  params: VersionParams,
  body: Type.Object({ appliedBy: Type.Enum(['server', 'caller']) }),
  response: Type.Object({
    /** The document as it was before. */
    before: DocumentVersion,
    /**
     * The content for the caller to apply, with references in place of large values; null when the server has applied
     * it.
     */
    content: Type.Union([
      Type.Unsafe<GraphContent>({ type: 'object', description: 'As `replaceContent` takes it.' }),
      Type.Null(),
    ]),
    /** Whether the document has another imported file now. */
    changedFile: Type.Boolean(),
  }),
  errors: ['version_not_found', 'version_not_restorable'],
})

/** Make a new document of a version. It is private and not solved. */
export const copyVersion = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/versions/:versionId/copy',
  needs: 'member',
  params: VersionParams,
  body: Type.Object({
    /** The name of the document with the time of the version when left out. */
    name: Type.Optional(Type.String()),
    /** The folder of the new document; that of the document when left out. */
    folderId: Type.Optional(Type.String()),
  }),
  response: Type.Object({ document: AppDocument }),
  status: 201,
  errors: [
    'version_not_found',
    'name_not_acceptable',
    'folder_not_found',
    'folder_of_another_team',
    'quota_reached',
  ],
})

/**
 * A download link for a version as .gh, or for its solution as .3dm. The link is that of an export of the document; it
 * needs no session.
 */
export const exportVersion = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/versions/:versionId/exports',
  needs: 'viewer',
  params: VersionParams,
  body: Type.Object({
    format: Type.Enum([...EXPORT_FORMATS]),
    modelerVersion: Type.Optional(Type.Enum([...MODELER_VERSIONS])),
  }),
  response: Type.Object({
    export: Type.Object({
      ...Export.properties,
      /** Null: the version has no solution, which a .gh does not need. */
      solutionId: Type.Union([SolutionId, Type.Null()]),
    }),
  }),
  errors: [
    'version_not_found',
    'version_without_solution',
    'modeler_version_not_applicable',
    'model_missing',
    'export_not_made',
    'export_not_in_time',
  ],
})
