import Type, { type Static, type TSchema } from 'typebox'
import { DocumentId, FolderId, SolutionId, Timestamp } from './ids.ts'
import { WEBHOOK_TEST, type WebhookEventType } from './webhooks.ts'

const Team = Type.Object({
  id: Type.String({ description: 'Opaque id of the team.' }),
  name: Type.String(),
})

const Document = Type.Object({
  id: DocumentId,
  name: Type.String({ description: 'Its name when the event happened.' }),
  folderId: FolderId,
  updatedAt: Timestamp,
})

const path = (description: string) => Type.String({ description, examples: ['/api/v1/documents/doc_…'] })

const DocumentLinks = { document: path('The path of the document in the API.') }
const SolutionLinks = { ...DocumentLinks, solution: path('The path of its solution in the API.') }

/** Declares a message, whose body is JSON. Members may be added; a receiver ignores those that it does not know. */
const message = <const Kind extends string, Data extends TSchema>(
  type: Kind,
  description: string,
  data: Data,
) =>
  Type.Object(
    {
      type: Type.Literal(type),
      timestamp: Type.Unsafe<Timestamp>({
        ...Timestamp,
        description: 'When it happened, not when it is sent.',
      }),
      data,
    },
    { description },
  )

/** The JSON schema of each message, by its type. */
export const WEBHOOK_MESSAGES = {
  'document.solved': message(
    'document.solved',
    'A solve of the document ended with a solution.',
    Type.Object({
      team: Team,
      document: Document,
      solution: Type.Object({
        id: SolutionId,
        durationMs: Type.Integer({ description: 'How long the solver took, in real time.' }),
        isComplete: Type.Union([Type.Boolean(), Type.Null()], {
          description:
            'Whether every node was solved: no failed, unsupported or unknown ones. Null: not counted.',
        }),
      }),
      links: Type.Object(SolutionLinks),
    }),
  ),
  'document.failed': message(
    'document.failed',
    'A solve of the document failed. The last solution, if there is one, stays what it was.',
    Type.Object({
      team: Team,
      document: Document,
      solution: Type.Object({ id: SolutionId, reason: Type.String({ description: 'A sentence.' }) }),
      links: Type.Object(SolutionLinks),
    }),
  ),
  'document.changed': message(
    'document.changed',
    'The document was created, edited or renamed. Edits that follow each other closely are one event.',
    Type.Object({ team: Team, document: Document, links: Type.Object(DocumentLinks) }),
  ),
  'document.imported': message(
    'document.imported',
    'A file became a document, or the content of the document that it was imported to before.',
    Type.Object({
      team: Team,
      document: Document,
      import: Type.Object({
        outcome: Type.Enum(['created', 'updated']),
        fileName: Type.String({ description: 'Without a folder.' }),
      }),
      links: Type.Object(DocumentLinks),
    }),
  ),
  'document.version_named': message(
    'document.version_named',
    'A version of the document was given a name.',
    Type.Object({
      team: Team,
      document: Document,
      version: Type.Object({
        id: Type.String({ description: 'Opaque id of the version.' }),
        name: Type.String(),
      }),
      links: Type.Object(DocumentLinks),
    }),
  ),
  [WEBHOOK_TEST]: message(
    WEBHOOK_TEST,
    'Somebody has asked in the team settings for a test.',
    Type.Object({ team: Team, webhook: Type.Object({ id: Type.String() }) }),
  ),
} as const satisfies Record<WebhookEventType | typeof WEBHOOK_TEST, TSchema>

export type WebhookMessageType = keyof typeof WEBHOOK_MESSAGES
export type WebhookMessage<Kind extends WebhookMessageType = WebhookMessageType> = Static<
  (typeof WEBHOOK_MESSAGES)[Kind]
>
