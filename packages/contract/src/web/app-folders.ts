import Type, { type Static } from 'typebox'
import { DocumentSummary, FolderReference } from '../folders.ts'
import { FolderId } from '../ids.ts'
import { FoundDocument } from '../search.ts'
import { Completeness } from '../solutions.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { FileSummary, FoundFile } from './files.ts'
import { PersonReference, TeamId } from './people.ts'
import { Role } from './roles.ts'
import { TeamParams } from './team-settings.ts'
import { ThumbnailSummary } from './thumbnails.ts'

/** The status of a document's most recent solve; `queued` and `running` are both "solving" to people. */
export const SolveState = Type.Enum(['never', 'queued', 'running', 'solved', 'failed'])
export type SolveState = Static<typeof SolveState>

/** How the most recent solve of a document ended. */
export const SolveSummary = Type.Object({
  solve: SolveState,
  /** Null unless the solve succeeded, and for solutions made before completeness was recorded. */
  completeness: Type.Union([Completeness, Type.Null()]),
})
export type SolveSummary = Static<typeof SolveSummary>

/** What lists show of a document, with its picture. */
export const ListSummary = Type.Object({
  ...SolveSummary.properties,
  /** Null while there is no current picture: it is made when somebody asks for it. */
  thumbnail: Type.Union([ThumbnailSummary, Type.Null()]),
})
export type ListSummary = Static<typeof ListSummary>

/** A folder as a line in the tree. */
export const TreeFolder = Type.Object({
  id: FolderId,
  /** The name of the folder; for the root folder, the name of the team. */
  name: Type.String(),
  parentId: Type.Union([FolderId, Type.Null()]),
  /** The number of documents directly inside the folder. */
  documents: Type.Integer(),
})
export type TreeFolder = Static<typeof TreeFolder>

/** The maximum number of folders in the tree; those closest to the root are in it. */
export const TREE_LIMIT = 5000

/** All folders of a team, the root first, each after its parent, by name. */
export const readFolderTree = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/folders',
  needs: 'viewer',
  params: TeamParams,
  response: Type.Object({ folders: Type.Array(TreeFolder), truncated: Type.Boolean() }),
  errors: ['team_without_root'],
})

const Listed = {
  /** Whether the item is a favourite of the caller. */
  isFavourite: Type.Boolean(),
  /** The folder of the item; the root folder has the team's name. Only lists that span several folders have it. */
  folder: Type.Optional(FolderReference),
}

/**
 * Who can open a document: its team, anyone with the link of its player, which shows nothing else of it, or anyone with its
 * link. The API says `private` of the second.
 */
export const Sharing = Type.Enum(['private', 'player', 'public'])
export type Sharing = Static<typeof Sharing>

/** A document without its content. */
export const AppSummary = Type.Object({ ...DocumentSummary.properties, visibility: Sharing })

/** A document as a line of a list. */
export const ListedDocument = Type.Object({
  ...AppSummary.properties,
  ...ListSummary.properties,
  ...Listed,
  /** The size of the content; null while it is not known. */
  sizeBytes: Type.Union([Type.Integer(), Type.Null()]),
  /** The person who changed it last; null when that is not known, or their account was deleted. */
  changedBy: Type.Union([PersonReference, Type.Null()]),
  /** The open threads of comments on the document, and those of them with comments that the caller has not read. */
  threads: Type.Object({ open: Type.Integer(), unread: Type.Integer() }),
})
export type ListedDocument = Static<typeof ListedDocument>

export const ListedFile = Type.Object({ ...FileSummary.properties, ...Listed })
export type ListedFile = Static<typeof ListedFile>

/** `incomplete`: solved, but not all nodes; `solving`: queued or running. */
export const StateFilter = Type.Enum(['solved', 'incomplete', 'failed', 'never', 'solving'])
export type StateFilter = Static<typeof StateFilter>

/** `library_item`: a user object or cluster. `text`: a text or table. */
export const ItemFilter = Type.Enum(['document', 'model', 'library_item', 'text'])
export type ItemFilter = Static<typeof ItemFilter>

/**
 * Filters for the items of a folder. Files have no state, people or plug-in, and folders are only listed without
 * filters.
 */
export const FolderFilters = Type.Object({
  state: Type.Optional(StateFilter),
  /** The id of the person who changed a document last. */
  author: Type.Optional(Type.String({ maxLength: 100 })),
  /** The id of the person who made a document, or uploaded its file. */
  creator: Type.Optional(Type.String({ maxLength: 100 })),
  /** The key of a plug-in whose components a document uses, as `suggestUses` returns it. */
  plugin: Type.Optional(Type.String({ maxLength: 300 })),
  kind: Type.Optional(ItemFilter),
  /** Whether the content of subfolders is listed too, at any depth. */
  subfolders: Type.Optional(Type.Enum(['1'])),
})
export type FolderFilters = Static<typeof FolderFilters>

/** The filters that leave items out. */
export const NARROWING_FILTERS = ['state', 'author', 'creator', 'plugin', 'kind'] as const
export type NarrowingFilter = (typeof NARROWING_FILTERS)[number]

/** The number of documents, and of files, in a list that includes subfolders. */
export const SUBFOLDERS_LIMIT = 10_000

export const AppFolder = Type.Object({
  id: FolderId,
  /** The name of the folder; for the root folder, the name of the team. */
  name: Type.String(),
  teamId: TeamId,
  role: Role,
  parentId: Type.Union([FolderId, Type.Null()]),
  isFavourite: Type.Boolean(),
  /** The ancestors, root first, with the team's name for the root's. */
  path: Type.Array(FolderReference),
  folders: Type.Array(
    Type.Object({
      ...FolderReference.properties,
      isFavourite: Type.Boolean(),
      /** The number of folders directly inside this one. */
      folders: Type.Integer(),
      documents: Type.Integer(),
      files: Type.Integer(),
    }),
  ),
  documents: Type.Array(ListedDocument),
  /** The models, user objects and clusters. */
  files: Type.Array(ListedFile),
  /** True when more than `SUBFOLDERS_LIMIT` documents or files match. */
  truncated: Type.Boolean(),
  /** The number of items that would match without each filter, when no item matches all filters. */
  withoutFilter: Type.Array(
    Type.Object({ filter: Type.Enum([...NARROWING_FILTERS]), items: Type.Integer() }),
  ),
})
export type AppFolder = Static<typeof AppFolder>

export const FolderParams = Type.Object({ folderId: Type.String() })
const FolderAnswer = Type.Object({ folder: AppFolder })

/** A folder with everything directly inside it, by name. With filters, only the items that match. */
export const readAppFolder = appEndpoint({
  method: 'GET',
  path: '/folders/:folderId',
  needs: 'viewer',
  params: FolderParams,
  query: FolderFilters,
  response: FolderAnswer,
})

/**
 * Search the team's documents and other files by name, everywhere or inside a folder. The same search as the API's:
 * the same order, the same limit of 50 documents. Of other files there are 50 as well.
 */
export const searchTeam = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/search',
  needs: 'viewer',
  params: TeamParams,
  query: Type.Object({
    q: Type.Optional(Type.String()),
    folderId: Type.Optional(Type.String()),
  }),
  response: Type.Object({
    documents: Type.Array(
      Type.Object({ ...FoundDocument.properties, visibility: Sharing, ...ListSummary.properties }),
    ),
    files: Type.Array(FoundFile),
    /** True when there are more matching documents or files than are listed. */
    truncated: Type.Boolean(),
  }),
  errors: ['folder_not_found', 'team_without_root'],
})

/** Create a folder inside this one. */
export const createAppFolder = appEndpoint({
  method: 'POST',
  path: '/folders/:folderId/folders',
  needs: 'member',
  params: FolderParams,
  body: Type.Object({ name: Type.String() }),
  response: FolderAnswer,
  status: 201,
  errors: ['name_not_acceptable', 'folders_too_deep'],
})

/** Rename or move a folder; what is left out stays. */
export const changeAppFolder = appEndpoint({
  method: 'PATCH',
  path: '/folders/:folderId',
  needs: 'member',
  params: FolderParams,
  body: Type.Object({ name: Type.Optional(Type.String()), parentId: Type.Optional(Type.String()) }),
  response: FolderAnswer,
  errors: [
    'name_not_acceptable',
    'root_folder_stays',
    'folder_inside_itself',
    'folder_of_another_team',
    'folders_too_deep',
  ],
})

/** Move a folder with its content to the bin. */
export const binFolder = appEndpoint({
  method: 'DELETE',
  path: '/folders/:folderId',
  needs: 'member',
  params: FolderParams,
  response: Nothing,
  errors: ['root_folder_stays'],
})
