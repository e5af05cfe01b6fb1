import type { Database, Subscription, Write } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

/** What is kept beside documents, and whose changes pages hear of: comments and named views. */
export type Beside = 'comments' | 'views'

/** How often what is beside a document was changed: a row for each document that has, or had, any. */
const TABLES = { comments: 'comment_revision', views: 'view_revision' } as const satisfies Record<
  Beside,
  string
>
type RevisionTable = (typeof TABLES)[Beside]

/** Gives what is beside a document its next revision, and publishes that when `write` commits. */
export async function publishRevision(
  database: Pick<Database, 'publish'>,
  write: Write,
  what: Beside,
  document: DocumentKey,
): Promise<void> {
  await write
    .insertInto<RevisionTable>(TABLES[what])
    .values({ document_id: document, revision: 1 })
    .onConflict((conflict) =>
      conflict
        .column('document_id')
        .doUpdateSet(({ eb, ref }) => ({ revision: eb(ref(`${TABLES[what]}.revision`), '+', 1) })),
    )
    .execute()
  await database.publish(write, `${what} ${document}`)
}

/** Calls with a document of which this has changed, through any process; undefined: it may have of any. */
export const subscribeToRevisions = (
  database: Pick<Database, 'subscribe'>,
  what: Beside,
  onChanged: (document: DocumentKey | undefined) => void,
): Subscription =>
  database.subscribe((message) => {
    if (message === undefined) return onChanged(undefined)
    const [topic, document] = message.split(' ')
    if (topic === what) onChanged(Number(document) as DocumentKey)
  })

/** The revisions by document; none for a document that never had any. */
export async function listRevisions(
  { read }: Pick<Database, 'read'>,
  what: Beside,
  documents: readonly DocumentKey[],
): Promise<ReadonlyMap<DocumentKey, number>> {
  if (documents.length === 0) return new Map()
  const rows = await read
    .selectFrom<RevisionTable>(TABLES[what])
    .where('document_id', 'in', documents)
    .select(['document_id as document', 'revision'])
    .execute()
  return new Map(rows.map(({ document, revision }) => [document, revision]))
}
