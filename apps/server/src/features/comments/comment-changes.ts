import type { ThreadId, UserId } from '@meadow/contract'
import type { CommentAnchor } from '@meadow/contract/web'
import { AccessEndedError, type Actor, checkActor } from '../../access/current-roles.ts'
import { isMembershipOpen } from '../../access/required-factors.ts'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { publishRevision } from '../../content/revisions.ts'
import { changeBeside } from '../../http/app-api/change-beside.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { CommentKey, ThreadKey } from '../../platform/database/tables.ts'
import { queueNotice, quoteName, quoteText } from '../../platform/mail/outbox.ts'
import { createPublicId, isPublicId } from '../../platform/public-ids.ts'
import { listMentioned, writeExcerpt } from './comment-text.ts'

/** The most threads of a document, resolved ones included. */
const MAX_THREADS = 1000
/** The most comments of a thread. */
const MAX_COMMENTS = 500

/** Characters of a comment in a mail. */
const MAX_MAIL_EXCERPT = 500

/** What members do with comments. `id`s are what the caller sent. All throw an `HttpError`. */
export interface CommentChanges {
  createThread(anchor: CommentAnchor, text: string): Promise<ThreadId>
  addComment(thread: string, text: string): Promise<void>
  changeComment(thread: string, comment: string, text: string): Promise<void>
  deleteComment(thread: string, comment: string): Promise<void>
  setResolved(thread: string, isResolved: boolean): Promise<void>
  /** Marks a thread as read, or all threads of the document if none is given. */
  markRead(upTo: string, thread: string | undefined): Promise<void>
}

/** Runs a change of the comments of a document, for somebody who may still comment then. */
export const changeComments = <T>(
  database: Database,
  actor: Actor,
  access: DocumentAccess,
  work: (changes: CommentChanges) => Promise<T>,
): Promise<T> =>
  changeBeside(database, actor, access, (write, name) =>
    work(createCommentChanges(database, write, actor, { ...access, name })),
  )

function createCommentChanges(
  database: Database,
  write: Write,
  actor: Actor,
  { document, documentId, name: documentName }: DocumentAccess & { name: string },
): CommentChanges {
  const { user, team } = actor
  const now = timeOf(write)

  async function getThread(id: string) {
    const thread = isPublicId('thr', id)
      ? await write
          .selectFrom('comment_thread')
          .where('public_id', '=', id)
          .where('document_id', '=', document)
          .select(['id as key', 'public_id as id', 'resolved_at as resolvedAt'])
          .executeTakeFirst()
      : undefined
    if (!thread) throw new HttpError('thread_not_found')
    return thread
  }

  async function getComment(threadId: string, id: string) {
    const found =
      isPublicId('thr', threadId) && isPublicId('com', id)
        ? await write
            .selectFrom('comment')
            .innerJoin('comment_thread as thread', 'thread.id', 'comment.thread_id')
            .leftJoin('user', 'user.id', 'comment.author_id')
            .where('comment.public_id', '=', id)
            .where('comment.document_id', '=', document)
            .where('thread.public_id', '=', threadId)
            .select([
              'comment.id as key',
              'comment.public_id as id',
              'comment.author_id as author',
              'user.email as authorEmail',
              'comment.text',
              'thread.id as thread',
              'thread.public_id as threadId',
            ])
            .executeTakeFirst()
        : undefined
    if (!found) throw new HttpError('comment_not_found')
    return found
  }

  const record = (
    action: `comment.${'added' | 'edited' | 'deleted' | 'resolved' | 'reopened'}`,
    thread: ThreadId,
    details: Record<string, string | null> = {},
  ) =>
    recordEvent(write, {
      action,
      team,
      target: { kind: 'document', id: documentId, name: documentName },
      details: { thread, ...details },
    })

  async function count(table: 'comment_thread' | 'comment', of: 'document_id' | 'thread_id', key: number) {
    const row = await write
      .selectFrom<'comment_thread' | 'comment'>(table)
      .where(of as never, '=', key as never)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  async function insertComment(thread: { key: ThreadKey; id: ThreadId }, text: string): Promise<void> {
    const id = createPublicId('com')
    const row = await write
      .insertInto('comment')
      .values({
        public_id: id,
        document_id: document,
        thread_id: thread.key,
        author_id: user,
        text,
        created_at: now,
        edited_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    record('comment.added', thread.id, { comment: id })
    await setMentions(row.id, thread.id, text)
    // Who replies has seen what is above.
    await setSeen([thread.key], row.id)
    await publishRevision(database, write, 'comments', document)
  }

  /** Records which members of the team the text mentions. Who was not mentioned before gets a mail. */
  async function setMentions(comment: CommentKey, thread: ThreadId, text: string): Promise<void> {
    const ids = listMentioned(text)
    const before = await write
      .deleteFrom('comment_mention')
      .where('comment_id', '=', comment)
      .returning('user_id as id')
      .execute()
    if (ids.length === 0) return
    const people = await write
      .selectFrom('membership')
      .innerJoin('user', 'user.id', 'membership.user_id')
      .where('membership.team_id', '=', team)
      .where('membership.user_id', 'in', ids)
      .where(isMembershipOpen())
      .select(['user.id', 'user.name', 'user.mention_mails as mails'])
      .execute()
    if (people.length === 0) return
    await write
      .insertInto('comment_mention')
      .values(people.map(({ id }) => ({ comment_id: comment, user_id: id })))
      .execute()
    const known = new Set<UserId>([user, ...before.map(({ id }) => id)])
    const told = people.filter(({ id, mails }) => mails === 1 && !known.has(id))
    if (told.length === 0) return
    const { name } = await write
      .selectFrom('user')
      .where('id', '=', user)
      .select('name')
      .executeTakeFirstOrThrow()
    const by = quoteName(name)
    for (const { id } of told)
      await queueNotice(write, id, {
        subject: `${by} mentioned you in a comment`,
        paragraphs: [
          `${by} mentioned you in a comment on the document ${quoteName(documentName)}:`,
          quoteText(writeExcerpt(text, people, MAX_MAIL_EXCERPT), MAX_MAIL_EXCERPT),
          'Your account page ends these mails.',
        ],
        link: { label: 'Read the comment', path: `/documents/${documentId}?comment=${thread}` },
      })
  }

  /** Marks comments as seen; what was seen before stays seen. */
  async function setSeen(threads: readonly ThreadKey[], seen: CommentKey): Promise<void> {
    if (threads.length === 0) return
    await write
      .insertInto('comment_read')
      .values(threads.map((thread) => ({ thread_id: thread, user_id: user, seen })))
      .onConflict((conflict) =>
        conflict
          .columns(['thread_id', 'user_id'])
          .doUpdateSet({ seen })
          .where('comment_read.seen', '<', seen),
      )
      .execute()
  }

  const setResolution = (
    thread: ThreadKey,
    resolution: { resolved_at: number; resolved_by: UserId } | null,
  ) =>
    write
      .updateTable('comment_thread')
      .set(resolution ?? { resolved_at: null, resolved_by: null })
      .where('id', '=', thread)
      .execute()

  return {
    async createThread(anchor, text) {
      if ((await count('comment_thread', 'document_id', document)) >= MAX_THREADS)
        throw new HttpError('too_many_threads')
      const id = createPublicId('thr')
      const { key } = await write
        .insertInto('comment_thread')
        .values({
          public_id: id,
          team_id: team,
          document_id: document,
          anchor: JSON.stringify(anchor),
          created_at: now,
          resolved_at: null,
          resolved_by: null,
        })
        .returning('id as key')
        .executeTakeFirstOrThrow()
      await insertComment({ key, id }, text)
      return id
    },

    async addComment(threadId, text) {
      const thread = await getThread(threadId)
      if ((await count('comment', 'thread_id', thread.key)) >= MAX_COMMENTS)
        throw new HttpError('too_many_comments')
      if (thread.resolvedAt !== null) {
        await setResolution(thread.key, null)
        record('comment.reopened', thread.id)
      }
      await insertComment(thread, text)
    },

    async changeComment(threadId, commentId, text) {
      const { key, id, author, text: before, threadId: thread } = await getComment(threadId, commentId)
      if (author !== user) throw new HttpError('comment_of_another')
      if (text === before) return
      await write.updateTable('comment').set({ text, edited_at: now }).where('id', '=', key).execute()
      record('comment.edited', thread, { comment: id })
      await setMentions(key, thread, text)
      await publishRevision(database, write, 'comments', document)
    },

    async deleteComment(threadId, commentId) {
      const comment = await getComment(threadId, commentId)
      const { key, id, author, authorEmail, thread } = comment
      if (author !== user)
        await checkActor(database, write, { ...actor, needs: 'owner' }).catch((cause: unknown) => {
          if (!(cause instanceof AccessEndedError)) throw cause
          throw new HttpError('comment_of_another', { cause })
        })
      await write.deleteFrom('comment').where('id', '=', key).execute()
      if ((await count('comment', 'thread_id', thread)) === 0)
        await write.deleteFrom('comment_thread').where('id', '=', thread).execute()
      record('comment.deleted', comment.threadId, { comment: id, author: authorEmail })
      await publishRevision(database, write, 'comments', document)
    },

    async setResolved(threadId, isResolved) {
      const { key, id, resolvedAt } = await getThread(threadId)
      if ((resolvedAt !== null) === isResolved) return
      await setResolution(key, isResolved ? { resolved_at: now, resolved_by: user } : null)
      record(isResolved ? 'comment.resolved' : 'comment.reopened', id)
      await publishRevision(database, write, 'comments', document)
    },

    async markRead(upTo, threadId) {
      const comment = isPublicId('com', upTo)
        ? await write
            .selectFrom('comment')
            .where('public_id', '=', upTo)
            .where('document_id', '=', document)
            .select('id')
            .executeTakeFirst()
        : undefined
      if (!comment) throw new HttpError('comment_not_found')
      if (threadId !== undefined) return setSeen([(await getThread(threadId)).key], comment.id)
      const threads = await write
        .selectFrom('comment_thread')
        .where('document_id', '=', document)
        .select('id')
        .execute()
      // No more than fit into a statement.
      await setSeen(
        threads.map(({ id }) => id),
        comment.id,
      )
    },
  }
}
