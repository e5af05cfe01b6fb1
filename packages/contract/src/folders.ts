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

export const Folder = Type.Object(
  {
    id: FolderId,
    name: Type.String({ description: "At the root an internal placeholder: show the team's name instead." }),
    parentId: Type.Union([FolderId, Type.Null()], { description: 'Null at the root.' }),
    path: Type.Array(FolderReference, { description: 'The ancestors, root first; empty at the root.' }),
    folders: Type.Array(FolderReference, { description: 'The direct child folders, by name.' }),
    documents: Type.Array(DocumentSummary, { description: 'The direct child documents, by name.' }),
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
  query: Type.Object({}),
  response: Type.Object({ folder: Folder }),
  errors: ['folder_not_found', 'team_without_root'],
})
