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

/** How far the index of what documents use is behind. An answer is complete when all three are 0. */
export const IndexState = Type.Object(
  {
    pending: Type.Integer({ description: 'The documents whose last change is not in the index yet.' }),
    unread: Type.Integer({ description: 'The documents that take too much time or memory to read.' }),
    partial: Type.Integer({
      description: 'The documents of which a part is not known, for example a cluster behind a password.',
    }),
  },
  {
    $id: 'IndexState',
    description:
      'What the index does not know yet of the documents in question. All 0: the answer is complete.',
  },
)
export type IndexState = Static<typeof IndexState>

export const UsedComponent = Type.Object(
  {
    kind: Type.Enum(['component', 'plugin']),
    id: Type.String({ description: 'Its GUID in lower case; for a plug-in without one, its name.' }),
    name: Type.String(),
  },
  { $id: 'UsedComponent', description: 'A component that nodes are of, or a plug-in with its components.' },
)
export type UsedComponent = Static<typeof UsedComponent>

export const searchDocuments = endpoint({
  name: 'searchDocuments',
  path: '/documents',
  summary: "Search the team's documents by name, or by what they use.",
  description:
    'Names that start with `q` come first; inside each group the most recently changed first. ' +
    `Without \`q\`: all documents, most recently changed first. At most ${SEARCH_LIMIT}; there is no paging. ` +
    'With `uses`, the answer also says what was meant, and whether the index knew all documents.',
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
    uses: Type.Optional(
      Type.String({
        description:
          'Only documents with nodes of this component or plug-in, also inside clusters: its GUID, or its name in any case. ' +
          "A plug-in's name may be followed by a number or another word: `kangaroo` is also `Kangaroo2`.",
        examples: ['Kangaroo'],
      }),
    ),
  }),
  response: Type.Object({
    documents: Type.Array(Type.Ref('FoundDocument')),
    truncated: Type.Boolean({ description: `True when more than ${SEARCH_LIMIT} documents match.` }),
    uses: Type.Optional(
      Type.Array(Type.Ref('UsedComponent'), {
        description:
          'With the parameter `uses`: the components and plug-ins in these folders that it names, by name; none when no document uses any.',
      }),
    ),
    index: Type.Optional(Type.Ref('IndexState')),
  }),
  errors: ['folder_not_found', 'team_without_root'],
})
export interface SearchResult {
  documents: FoundDocument[]
  truncated: boolean
  /** With the parameter `uses`: what it names. */
  uses?: UsedComponent[]
  index?: IndexState
}
