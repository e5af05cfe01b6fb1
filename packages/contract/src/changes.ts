import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { DocumentSummary } from './folders.ts'
import { DocumentId, FolderId } from './ids.ts'

/** The most folders and documents of one answer of the change feed. */
export const MAX_CHANGES = 1000

/** What can have happened to a folder or document, in the words of the change feed. */
export const HAPPENINGS = [
  'created',
  'changed',
  'renamed',
  'moved',
  'binned',
  'restored',
  'deleted',
  'solved',
  'failed',
] as const

const Happened = Type.Array(Type.Enum(HAPPENINGS), {
  description:
    'What has happened since the cursor, the last one at the end. `changed`: content or visibility of a document; ' +
    '`deleted`: removed without the bin; `solved`, `failed`: a solve of a document has ended.',
})

export const ChangedFolder = Type.Object(
  {
    id: FolderId,
    name: Type.String({ description: "At the root an internal placeholder: show the team's name instead." }),
    parentId: Type.Union([FolderId, Type.Null()], { description: 'Null at the root.' }),
    happened: Happened,
    entered: Type.Optional(
      Type.Boolean({
        description:
          'True when a token that is limited to folders could not read the folder for a while: read again what is in it.',
      }),
    ),
  },
  { $id: 'ChangedFolder', description: 'A folder that is there, to which something has happened.' },
)
export type ChangedFolder = Static<typeof ChangedFolder>

export const ChangedDocument = Type.Object(
  { ...DocumentSummary.properties, folderId: FolderId, happened: Happened },
  { $id: 'ChangedDocument', description: 'A document that is there, to which something has happened.' },
)
export type ChangedDocument = Static<typeof ChangedDocument>

export const GoneItem = Type.Object(
  {
    kind: Type.Enum(['folder', 'document']),
    id: Type.Union([FolderId, DocumentId]),
    happened: Happened,
  },
  {
    $id: 'GoneItem',
    description:
      'A folder or document that is in the bin or deleted, or has left the folders that the token is limited to. What is ' +
      'in a folder that is gone, and is not named by the answer, is gone too.',
  },
)
export type GoneItem = Static<typeof GoneItem>

export const TeamChanges = Type.Object(
  {
    cursor: Type.String({ description: 'Opaque: send it as `since` the next time.' }),
    reset: Type.Boolean({
      description:
        'True when nothing is known of what has happened since then: read everything, and go on from this cursor. So it is ' +
        'without `since`, and with a cursor that is too old, of another team or of a token with other folders, or no cursor.',
    }),
    truncated: Type.Boolean({
      description: `True when more has happened: ask again with this cursor. An answer has at most ${MAX_CHANGES} items.`,
    }),
    solutions: Type.Boolean({
      description: 'Whether ends of solves are named: true for tokens with the scope `solutions:read`.',
    }),
    folders: Type.Array(Type.Ref('ChangedFolder')),
    documents: Type.Array(Type.Ref('ChangedDocument')),
    gone: Type.Array(Type.Ref('GoneItem')),
  },
  { $id: 'TeamChanges', description: 'What is different in a team since a cursor.' },
)
export interface TeamChanges extends Omit<Static<typeof TeamChanges>, 'folders' | 'documents' | 'gone'> {
  folders: ChangedFolder[]
  documents: ChangedDocument[]
  gone: GoneItem[]
}

export const readChanges = endpoint({
  name: 'readChanges',
  path: '/changes',
  summary: 'What is different in the team since a cursor.',
  description:
    'Begin without `since`: keep the cursor, then read everything. From then on each answer names the folders and documents ' +
    'that are different, each once and as it is now, and has the next cursor. ' +
    'While nothing has happened, the lists are empty, and a conditional request gets 304. ' +
    'Ends of solves are named to tokens with the scope `solutions:read`.',
  scope: 'folders:read',
  params: Type.Object({}),
  query: Type.Object({
    since: Type.Optional(Type.String({ description: 'The cursor of an earlier answer.' })),
  }),
  response: Type.Object({ changes: Type.Ref('TeamChanges') }),
  errors: [],
})
