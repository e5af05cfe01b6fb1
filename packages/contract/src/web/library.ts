import Type, { type Static } from 'typebox'
import { FolderReference } from '../folders.ts'
import { Timestamp } from '../ids.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { FolderParams, ListedDocument, ListedFile } from './app-folders.ts'
import { Nothing } from './bodies.ts'
import { TeamParams } from './team-settings.ts'

/** The maximum number of items that one request moves, deletes, restores or marks. */
export const ITEMS_AT_ONCE = 500
/** The maximum number of documents that are remembered as opened, for each person over all teams. */
export const RECENT_LIMIT = 100
/** The maximum number of favourites of a person, over all teams. */
export const FAVOURITES_LIMIT = 500

export const ItemReference = Type.Object({
  kind: Type.Enum(['folder', 'document', 'file']),
  id: Type.String({ maxLength: 40 }),
})
export type ItemReference = Static<typeof ItemReference>

const Items = Type.Array(ItemReference, { minItems: 1, maxItems: ITEMS_AT_ONCE })

/** Why one of several items stays as it was; the others are changed. */
export const ItemProblem = Type.Object({
  id: Type.String(),
  /** The name of the item. Null: there is no such item. */
  name: Type.Union([Type.String(), Type.Null()]),
  error: Type.String({ description: 'A sentence.' }),
})
export type ItemProblem = Static<typeof ItemProblem>

/** Move folders, documents and files to a folder, in one transaction; what cannot be moved stays. */
export const moveItems = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/items/move',
  needs: 'member',
  params: TeamParams,
  body: Type.Object({ items: Items, folderId: Type.String() }),
  response: Type.Object({ problems: Type.Array(ItemProblem) }),
  errors: ['folder_not_found', 'folder_of_another_team'],
})

/** Move folders, documents and files to the bin, in one transaction. */
export const binItems = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/items/bin',
  needs: 'member',
  params: TeamParams,
  body: Type.Object({ items: Items }),
  response: Type.Object({
    /** The ids of the items in the bin, which `restoreBinItems` takes. */
    binItemIds: Type.Array(Type.String()),
    problems: Type.Array(ItemProblem),
  }),
})

/** Restore several items of the bin, in one transaction. */
export const restoreBinItems = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/items/restore',
  needs: 'member',
  params: TeamParams,
  body: Type.Object({
    binItemIds: Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: ITEMS_AT_ONCE }),
  }),
  response: Type.Object({ problems: Type.Array(ItemProblem) }),
})

/** The maximum number of documents that one request has solved. */
export const SOLVES_AT_ONCE = 50

const SolvedDocuments = Type.Object({
  documentIds: Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: ITEMS_AT_ONCE }),
})

/** What the last solves of documents cost, as the best guess of what the next ones will. */
export const priceSolves = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/solves/price',
  needs: 'member',
  params: TeamParams,
  body: SolvedDocuments,
  response: Type.Object({
    /** In tenths of a credit. */
    creditTenths: Type.Integer(),
    /** The number of documents that were never solved. */
    unknown: Type.Integer(),
    /** What the team has left, in tenths of a credit. */
    leftTenths: Type.Integer(),
  }),
})

/** Ask for solves of several documents as they are now, in this order. Spends credits. */
export const solveDocuments = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/solves',
  needs: 'member',
  params: TeamParams,
  body: Type.Object({
    documentIds: Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: SOLVES_AT_ONCE }),
  }),
  response: Type.Object({ problems: Type.Array(ItemProblem) }),
  errors: ['no_credits'],
})

/** Take documents that wait for a solver out of the queue. They have the state that they had before; what runs goes on. */
export const stopSolves = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/solves/stop',
  needs: 'member',
  params: TeamParams,
  body: SolvedDocuments,
  response: Type.Object({ stopped: Type.Integer() }),
})

const Placed = {
  /** The folder of the item; the root folder has the team's name. */
  folder: FolderReference,
}

/** What the caller marked as a favourite in the team, by name. */
export const listFavourites = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/favourites',
  needs: 'viewer',
  params: TeamParams,
  response: Type.Object({
    folders: Type.Array(Type.Object({ ...FolderReference.properties, ...Placed })),
    documents: Type.Array(Type.Object({ ...ListedDocument.properties, ...Placed })),
    files: Type.Array(Type.Object({ ...ListedFile.properties, ...Placed })),
  }),
})

/** Mark items as the caller's favourites, or no longer. */
export const changeFavourites = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/favourites',
  needs: 'viewer',
  params: TeamParams,
  body: Type.Object({ items: Items, isFavourite: Type.Boolean() }),
  response: Nothing,
  errors: ['too_many_favourites'],
})

/** The documents of the team that the caller opened, the last one first. */
export const listRecents = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/recent',
  needs: 'viewer',
  params: TeamParams,
  response: Type.Object({
    documents: Type.Array(Type.Object({ ...ListedDocument.properties, ...Placed, openedAt: Timestamp })),
  }),
})

/** Remember that the caller opened the document. */
export const markOpened = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/opened',
  needs: 'viewer',
  params: DocumentParams,
  response: Nothing,
})

/** The number of documents by this person or with this plug-in. */
const Counted = { documents: Type.Integer() }

/** The people and plug-ins of the documents in a folder, at any depth, to filter by. */
export const readFilterChoices = appEndpoint({
  method: 'GET',
  path: '/folders/:folderId/filters',
  needs: 'viewer',
  params: FolderParams,
  response: Type.Object({
    /** The people who last changed documents. */
    authors: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), ...Counted })),
    /** The people who made documents, as far as they are known. */
    creators: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), ...Counted })),
    plugins: Type.Array(Type.Object({ key: Type.String(), name: Type.String(), ...Counted })),
  }),
})
