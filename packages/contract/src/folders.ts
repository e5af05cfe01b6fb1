import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { DocumentId, FolderId, Timestamp } from './ids.ts'

/** Who has read access: `private` the team's members, `public` anyone with the web link (decision 15). */
export const Visibility = Type.Enum(['private', 'public'], {
  $id: 'Visibility',
  description: "`private`: the team's members; `public`: anyone with the web link. A token sees both.",
})
export type Visibility = Static<typeof Visibility>

export const FolderReference = Type.Object(
  { id: FolderId, name: Type.String() },
  { $id: 'FolderReference', description: 'A folder by id and name.' },
)
export type FolderReference = Static<typeof FolderReference>

export const DocumentSummary = Type.Object(
  {
    id: DocumentId,
    name: Type.String(),
    visibility: Visibility,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'DocumentSummary', description: 'A document without its content.' },
)
export type DocumentSummary = Static<typeof DocumentSummary>

/** The most levels that `depth` can ask for. */
export const MAX_DEPTH = 5
/** The most folders and documents of a folder that is read with its nested folders. */
export const MAX_NESTED_ITEMS = 10_000

/** A folder in another one. */
export interface ChildFolder extends FolderReference {
  folders?: ChildFolder[]
  documents?: DocumentSummary[]
}

export const ChildFolder = Type.Unsafe<ChildFolder>({
  ...Type.Object({
    ...FolderReference.properties,
    folders: Type.Optional(
      Type.Array(Type.Ref('ChildFolder'), { description: 'As far as `depth` reaches.' }),
    ),
    documents: Type.Optional(Type.Array(DocumentSummary, { description: 'As far as `depth` reaches.' })),
  }),
  $id: 'ChildFolder',
  description: 'A folder in another one.',
})

export const Folder = Type.Object(
  {
    id: FolderId,
    name: Type.String({ description: "At the root an internal placeholder: show the team's name instead." }),
    parentId: Type.Union([FolderId, Type.Null()], { description: 'Null at the root.' }),
    path: Type.Array(FolderReference, { description: 'The ancestors, root first; empty at the root.' }),
    folders: Type.Array(ChildFolder, { description: 'The direct child folders, by name.' }),
    documents: Type.Array(DocumentSummary, { description: 'The direct child documents, by name.' }),
    depth: Type.Optional(
      Type.Integer({
        description:
          'With the parameter `depth`: how many levels the answer has. Less than was asked for where that is more than ' +
          `${MAX_DEPTH}, or where another level would make more than ${MAX_NESTED_ITEMS} folders and documents.`,
      }),
    ),
  },
  { $id: 'Folder', description: 'A folder, its ancestors, and what is directly inside it.' },
)
export type Folder = Static<typeof Folder>

export const readFolder = endpoint({
  name: 'readFolder',
  path: '/folders/:folderId',
  summary: 'A folder, its ancestors, and what is directly inside it.',
  description: 'Folders and documents are sorted by name, numbers inside names by value.',
  scope: 'folders:read',
  params: Type.Object({
    folderId: Type.String({ description: 'A folder id, or `root` for the root folder of the team.' }),
  }),
  query: Type.Object({
    depth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_DEPTH,
        default: 1,
        description:
          'How many levels of contents to read: 0 for none (both lists are empty then), 2 with those of the child ' +
          'folders, and so on. `folder.depth` says how many there are.',
      }),
    ),
  }),
  response: Type.Object({ folder: Folder }),
  errors: ['folder_not_found', 'team_without_root'],
})
