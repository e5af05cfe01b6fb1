import Type, { type Static } from 'typebox'
import { FolderReference } from '../folders.ts'
import { Timestamp } from '../ids.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { FolderParams, ListedDocument, ListedFile } from './app-folders.ts'
import { None, Nothing } from './bodies.ts'
import { TeamParams } from './team-settings.ts'

/** The number of items that one request moves, deletes, restores or marks. */
export const ITEMS_AT_ONCE = 500
/** The number of documents that are remembered as opened, for each person over all teams. */
export const RECENT_LIMIT = 100
/** The number of favourites of a person, over all teams. */
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
  /** Null: there is no such item. */
  name: Type.Union([Type.String(), Type.Null()]),
  error: Type.String({ description: 'A sentence.' }),
})
export type ItemProblem = Static<typeof ItemProblem>

export const moveItems = appEndpoint({
  name: 'moveItems',
  method: 'POST',
  path: '/teams/:teamId/items/move',
  summary: 'Move folders, documents and files to a folder, in one transaction; what cannot be moved stays.',
  needs: 'member',
  params: TeamParams,
  query: None,
  body: Type.Object({ items: Items, folderId: Type.String() }),
  response: Type.Object({ problems: Type.Array(ItemProblem) }),
  errors: ['folder_not_found', 'folder_of_another_team'],
})

export const binItems = appEndpoint({
  name: 'binItems',
  method: 'POST',
  path: '/teams/:teamId/items/bin',
  summary: 'Move folders, documents and files to the bin, in one transaction.',
  needs: 'member',
  params: TeamParams,
  query: None,
  body: Type.Object({ items: Items }),
  response: Type.Object({
    /** Of the items in the bin: `restoreBinItems` takes them. */
    binItemIds: Type.Array(Type.String()),
    problems: Type.Array(ItemProblem),
  }),
  errors: [],
})

export const restoreBinItems = appEndpoint({
  name: 'restoreBinItems',
  method: 'POST',
  path: '/teams/:teamId/items/restore',
  summary: 'Restore several items of the bin, in one transaction.',
  needs: 'member',
  params: TeamParams,
  query: None,
  body: Type.Object({
    binItemIds: Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: ITEMS_AT_ONCE }),
  }),
  response: Type.Object({ problems: Type.Array(ItemProblem) }),
  errors: [],
})

const Placed = {
  /** Where it is, with the team's name for the root's. */
  folder: FolderReference,
}

export const listFavourites = appEndpoint({
  name: 'listFavourites',
  method: 'GET',
  path: '/teams/:teamId/favourites',
  summary: 'What the caller marked as a favourite in the team, by name.',
  needs: 'viewer',
  params: TeamParams,
  query: None,
  body: undefined,
  response: Type.Object({
    folders: Type.Array(Type.Object({ ...FolderReference.properties, ...Placed })),
    documents: Type.Array(Type.Object({ ...ListedDocument.properties, ...Placed })),
    files: Type.Array(Type.Object({ ...ListedFile.properties, ...Placed })),
  }),
  errors: [],
})

export const changeFavourites = appEndpoint({
  name: 'changeFavourites',
  method: 'POST',
  path: '/teams/:teamId/favourites',
  summary: "Mark items as the caller's favourites, or no longer.",
  needs: 'viewer',
  params: TeamParams,
  query: None,
  body: Type.Object({ items: Items, isFavourite: Type.Boolean() }),
  response: Nothing,
  errors: ['too_many_favourites'],
})

export const listRecents = appEndpoint({
  name: 'listRecents',
  method: 'GET',
  path: '/teams/:teamId/recent',
  summary: 'The documents of the team that the caller opened, the last one first.',
  needs: 'viewer',
  params: TeamParams,
  query: None,
  body: undefined,
  response: Type.Object({
    documents: Type.Array(Type.Object({ ...ListedDocument.properties, ...Placed, openedAt: Timestamp })),
  }),
  errors: [],
})

export const markOpened = appEndpoint({
  name: 'markOpened',
  method: 'POST',
  path: '/documents/:documentId/opened',
  summary: 'Remember that the caller opened the document.',
  needs: 'viewer',
  params: DocumentParams,
  query: None,
  body: undefined,
  response: Nothing,
  errors: [],
})

/** How many documents have it. */
const Counted = { documents: Type.Integer() }

export const readFilterChoices = appEndpoint({
  name: 'readFilterChoices',
  method: 'GET',
  path: '/folders/:folderId/filters',
  summary: 'The people and plug-ins of the documents in a folder, at any depth, to filter by.',
  needs: 'viewer',
  params: FolderParams,
  query: None,
  body: undefined,
  response: Type.Object({
    /** Who changed them last. */
    authors: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), ...Counted })),
    /** Who made them, as far as that is known. */
    creators: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), ...Counted })),
    plugins: Type.Array(Type.Object({ key: Type.String(), name: Type.String(), ...Counted })),
  }),
  errors: [],
})
