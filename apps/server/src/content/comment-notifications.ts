import type { Database, Subscription, Write } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

const TOPIC = 'comments'

/** Gives the comments of a document their next revision, and publishes that when `write` commits. */
export async function publishComments(
  database: Pick<Database, 'publish'>,
  write: Write,
  document: DocumentKey,
): Promise<void> {
  await write
    .insertInto('comment_revision')
    .values({ document_id: document, revision: 1 })
    .onConflict((conflict) =>
      conflict
        .column('document_id')
        .doUpdateSet(({ eb }) => ({ revision: eb('comment_revision.revision', '+', 1) })),
    )
    .execute()
  await database.publish(write, `${TOPIC} ${document}`)
}

/** Calls with a document whose comments have changed, through any process; undefined: those of any may have. */
export const subscribeToComments = (
  database: Pick<Database, 'subscribe'>,
  onComments: (document: DocumentKey | undefined) => void,
): Subscription =>
  database.subscribe((message) => {
    if (message === undefined) return onComments(undefined)
    const [topic, document] = message.split(' ')
    if (topic === TOPIC) onComments(Number(document) as DocumentKey)
  })

/** The revisions of documents that have, or had, comments. */
export async function listCommentRevisions(
  { read }: Pick<Database, 'read'>,
  documents: readonly DocumentKey[],
): Promise<ReadonlyMap<DocumentKey, number>> {
  if (documents.length === 0) return new Map()
  const rows = await read
    .selectFrom('comment_revision')
    .where('document_id', 'in', documents)
    .select(['document_id as document', 'revision'])
    .execute()
  return new Map(rows.map(({ document, revision }) => [document, revision]))
}
