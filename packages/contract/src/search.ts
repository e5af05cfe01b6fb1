import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { DocumentSummary, FolderReference } from './folders.ts'

/** The maximum number of documents returned; there is no paging (contract, part 8). */
export const SEARCH_LIMIT = 50

export const FoundDocument = Type.Object(
  {
    ...DocumentSummary.properties,
    folder: FolderReference,
    isRoot: Type.Boolean({
      description:
        "True when the document has not been filed: show the team's name in place of the folder's.",
    }),
  },
  { $id: 'FoundDocument', description: 'A document summary with its folder.' },
)
export type FoundDocument = Static<typeof FoundDocument>

export const searchDocuments = endpoint({
  name: 'searchDocuments',
  path: '/documents',
  summary: "Search the team's documents by name.",
  description:
    'Names that start with `q` come first; inside each group the most recently changed first. ' +
    `Without \`q\`: all documents, most recently changed first. At most ${SEARCH_LIMIT}; there is no paging.`,
  scope: 'documents:read',
  params: Type.Object({}),
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        description: 'Case-insensitive substring of the name; `%` and `_` match as themselves.',
      }),
    ),
    folderId: Type.Optional(
      Type.String({ description: 'Only this folder and everything inside it; `root` is accepted.' }),
    ),
  }),
  response: Type.Object({
    documents: Type.Array(Type.Ref('FoundDocument')),
    truncated: Type.Boolean({ description: `True when more than ${SEARCH_LIMIT} documents match.` }),
  }),
  errors: ['folder_not_found', 'team_without_root'],
})
export interface SearchResult {
  documents: FoundDocument[]
  truncated: boolean
}
