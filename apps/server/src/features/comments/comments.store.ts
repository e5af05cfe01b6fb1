import type { UserId } from '@meadow/contract'
import type { Comment, CommentThread, PersonReference, ThreadAnswer } from '@meadow/contract/web'
import { listRevisions } from '../../content/revisions.ts'
import { selectUnread } from '../../content/unread-comments.ts'
import type { Database, Select } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { CommentKey, DocumentKey, TeamKey, ThreadKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { writeExcerpt } from './comment-text.ts'

/** The queries about comments, for somebody who reads them. */
export interface CommentStore {
  /** Lists threads, those with the latest comments first, and the revision that they are of, or an earlier one. */
  list(of: CommentedDocument, reader: UserId): Promise<{ threads: CommentThread[]; revision: number }>
  /** `id` is what the caller sent. */
  find(of: CommentedDocument, id: string, reader: UserId): Promise<ThreadAnswer | undefined>
}

export interface CommentedDocument {
  document: DocumentKey
  team: TeamKey
}

/** Characters of the first comment in lists: read from the database, and shown. */
const READ_EXCERPT = 400
const MAX_EXCERPT = 200

export function createCommentStore({ read }: Pick<Database, 'read'>): CommentStore {
  return {
    async list(of, reader) {
      const revisions = await listRevisions({ read }, 'comments', [of.document])
      const threads = await selectThreads(read, of, reader, undefined)
      threads.sort((a, b) => b.last - a.last)
      return {
        threads: threads.map(({ thread }) => thread),
        revision: revisions.get(of.document) ?? 0,
      }
    },
    async find(of, id, reader) {
      if (!isPublicId('thr', id)) return undefined
      const row = await read
        .selectFrom('comment_thread')
        .where('public_id', '=', id)
        .where('document_id', '=', of.document)
        .select('id')
        .executeTakeFirst()
      const [found] = row ? await selectThreads(read, of, reader, row.id) : []
      if (!row || !found) return undefined
      return { thread: found.thread, comments: await listComments(read, row.id) }
    },
  }
}

/** All threads of a document, or one of them. */
async function selectThreads(
  read: Select,
  { document, team }: CommentedDocument,
  reader: UserId,
  only: ThreadKey | undefined,
): Promise<{ thread: CommentThread; last: CommentKey }[]> {
  const threads = await read
    .selectFrom('comment_thread as thread')
    .leftJoin('user', 'user.id', 'thread.resolved_by')
    .where('thread.document_id', '=', document)
    .$if(only !== undefined, (query) => query.where('thread.id', '=', only!))
    .select([
      'thread.id as key',
      'thread.public_id as id',
      'thread.anchor',
      'thread.created_at as createdAt',
      'thread.resolved_at as resolvedAt',
      'thread.resolved_by as resolvedBy',
      'user.name as resolvedByName',
    ])
    .execute()
  const counted = await read
    .selectFrom('comment')
    .where('document_id', '=', document)
    .$if(only !== undefined, (query) => query.where('thread_id', '=', only!))
    .groupBy('thread_id')
    .select(({ fn }) => [
      'thread_id as thread',
      fn.countAll().as('count'),
      fn.min('id').as('first'),
      fn.max('id').as('last'),
    ])
    .execute()
  const ends = await listEnds(
    read,
    counted.flatMap(({ first, last }) => [first, last]),
  )
  const unread = await countUnread(read, { document, team }, reader)
  const countOf = new Map(counted.map((row) => [row.thread, row]))
  return threads.flatMap(({ key, id, anchor, createdAt, resolvedAt, resolvedBy, resolvedByName }) => {
    const count = countOf.get(key)
    const [first, last] = [ends.get(count?.first as CommentKey), ends.get(count?.last as CommentKey)]
    // Its comments may have been deleted between two queries.
    if (!count || !first || !last) return []
    const news = resolvedAt === null ? unread.get(key) : undefined
    const thread: CommentThread = {
      id,
      anchor: JSON.parse(anchor),
      createdAt: toTimestamp(createdAt),
      resolved:
        resolvedAt === null
          ? null
          : { at: toTimestamp(resolvedAt), by: toPerson(resolvedBy, resolvedByName) },
      comments: Number(count.count),
      author: first.author,
      excerpt: first.excerpt,
      lastCommentId: last.id,
      lastCommentAt: toTimestamp(last.createdAt),
      unread: news?.count ?? 0,
      isMentioned: news?.isMentioned ?? false,
    }
    return [{ thread, last: count.last }]
  })
}

/** The first and last comments of threads. */
async function listEnds(read: Select, keys: readonly CommentKey[]) {
  const ends = new Map<CommentKey, Pick<Comment, 'id' | 'author'> & { excerpt: string; createdAt: number }>()
  for (const some of inBatches([...new Set(keys)])) {
    const rows = await read
      .selectFrom('comment')
      .leftJoin('user', 'user.id', 'comment.author_id')
      .where('comment.id', 'in', some)
      .select(({ fn, val }) => [
        'comment.id as key',
        'comment.public_id as id',
        'comment.author_id as author',
        'user.name as authorName',
        'comment.created_at as createdAt',
        fn<string>('substr', ['comment.text', val(1), val(READ_EXCERPT)]).as('text'),
      ])
      .execute()
    const mentions = await listMentions(
      read,
      rows.map(({ key }) => key),
    )
    for (const { key, id, author, authorName, createdAt, text } of rows)
      ends.set(key, {
        id,
        author: toPerson(author, authorName),
        createdAt,
        excerpt: writeExcerpt(text, mentions.get(key) ?? [], MAX_EXCERPT),
      })
  }
  return ends
}

/** The unread comments by thread. */
async function countUnread(read: Select, { document, team }: CommentedDocument, reader: UserId) {
  const rows = await selectUnread(read, team, reader)
    .leftJoin('comment_mention as mention', (join) =>
      join.onRef('mention.comment_id', '=', 'comment.id').on('mention.user_id', '=', reader),
    )
    .where('comment.document_id', '=', document)
    .groupBy('comment.thread_id')
    .select(({ fn }) => [
      'comment.thread_id as thread',
      fn.countAll().as('count'),
      fn.count('mention.user_id').as('mentions'),
    ])
    .execute()
  return new Map(
    rows.map(({ thread, count, mentions }) => [
      thread,
      { count: Number(count), isMentioned: Number(mentions) > 0 },
    ]),
  )
}

async function listComments(read: Select, thread: ThreadKey): Promise<Comment[]> {
  const rows = await read
    .selectFrom('comment')
    .leftJoin('user', 'user.id', 'comment.author_id')
    .where('comment.thread_id', '=', thread)
    .orderBy('comment.id')
    .select([
      'comment.id as key',
      'comment.public_id as id',
      'comment.author_id as author',
      'user.name as authorName',
      'comment.text',
      'comment.created_at as createdAt',
      'comment.edited_at as editedAt',
    ])
    .execute()
  const mentions = await listMentions(
    read,
    rows.map(({ key }) => key),
  )
  return rows.map(({ key, id, author, authorName, text, createdAt, editedAt }) => ({
    id,
    author: toPerson(author, authorName),
    text,
    mentions: mentions.get(key) ?? [],
    createdAt: toTimestamp(createdAt),
    editedAt: editedAt === null ? null : toTimestamp(editedAt),
  }))
}

async function listMentions(read: Select, comments: readonly CommentKey[]) {
  const mentions = new Map<CommentKey, PersonReference[]>()
  for (const some of inBatches(comments)) {
    const rows = await read
      .selectFrom('comment_mention as mention')
      .innerJoin('user', 'user.id', 'mention.user_id')
      .where('mention.comment_id', 'in', some)
      .select(['mention.comment_id as comment', 'user.id', 'user.name'])
      .execute()
    for (const { comment, ...person } of rows)
      mentions.set(comment, [...(mentions.get(comment) ?? []), person])
  }
  return mentions
}

const toPerson = (id: UserId | null, name: string | null): PersonReference | null =>
  id === null || name === null ? null : { id, name }
