import type { CommentId, ThreadId, UserId } from '@meadow/contract'
import type { CommentKey, DocumentKey, Key, Milliseconds, TeamKey, ThreadKey } from './column-types.ts'

export interface CommentTables {
  comment_thread: CommentThreadTable
  comment: CommentTable
  comment_mention: CommentMentionTable
  comment_read: CommentReadTable
  comment_revision: CommentRevisionTable
}

/** A thread of comments, at least one, about a document or a part of it. */
export interface CommentThreadTable {
  id: Key<ThreadKey>
  public_id: ThreadId
  team_id: TeamKey
  document_id: DocumentKey
  /** JSON of a `CommentAnchor`. */
  anchor: string
  created_at: Milliseconds
  /** When the thread was resolved; null while it is open. */
  resolved_at: Milliseconds | null
  /** The user that resolved the thread; null also when the account is deleted. */
  resolved_by: UserId | null
}

/** A comment. Later comments of a document have higher keys, since whoever writes one holds the lock of the team. */
export interface CommentTable {
  id: Key<CommentKey>
  public_id: CommentId
  document_id: DocumentKey
  thread_id: ThreadKey
  /** The author; null when the account is deleted. */
  author_id: UserId | null
  /** Plain text. Mentions are ids of users after an at sign. */
  text: string
  created_at: Milliseconds
  edited_at: Milliseconds | null
}

/** A member whom a comment mentions. */
export interface CommentMentionTable {
  comment_id: CommentKey
  user_id: UserId
}

/** What a user has read of a thread: all up to a comment, which may be gone. */
export interface CommentReadTable {
  thread_id: ThreadKey
  user_id: UserId
  seen: CommentKey
}

/** How often the comments of a document were changed. */
export interface CommentRevisionTable {
  document_id: DocumentKey
  revision: number
}
