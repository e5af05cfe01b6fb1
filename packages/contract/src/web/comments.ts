import Type, { type Static } from 'typebox'
import { type CommentId as CommentIdType, type ThreadId as ThreadIdType, Timestamp } from '../ids.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { PersonReference } from './people.ts'
import { MAX_COMMENT_LENGTH } from './terms.ts'

const ThreadId = Type.Unsafe<ThreadIdType>({ type: 'string' })
const CommentId = Type.Unsafe<CommentIdType>({ type: 'string' })

/** An id of a node, group or port. The server does not check that the document has it. */
const PartId = Type.String({ minLength: 1, maxLength: 100, pattern: '^[!-~]+$' })
const Coordinate = Type.Number({ minimum: -1e12, maximum: 1e12 })

/** The geometry that a point lies on: the value of an output. */
export const AnchorObject = Type.Object({
  node: PartId,
  port: PartId,
  /** The path of the branch, such as `{0;1}`. */
  path: Type.String({ maxLength: 200, pattern: '^\\{[0-9;]*\\}$' }),
  index: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
})
export type AnchorObject = Static<typeof AnchorObject>

/**
 * What a thread is about. A node, group or object may be gone, and may come back: the thread stays as it is.
 * - `document`: the document as a whole.
 * - `node`, `group`: a part of the graph, by its id.
 * - `point`: a point of the model, in the units of the document.
 */
export const CommentAnchor = Type.Union([
  Type.Object({ kind: Type.Literal('document') }),
  Type.Object({ kind: Type.Literal('node'), node: PartId }),
  Type.Object({ kind: Type.Literal('group'), group: PartId }),
  Type.Object({
    kind: Type.Literal('point'),
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    /** Null: the point lies on no object. */
    on: Type.Union([AnchorObject, Type.Null()]),
  }),
])
export type CommentAnchor = Static<typeof CommentAnchor>

/** Null: a former member whose account is deleted. */
const Author = Type.Union([PersonReference, Type.Null()])

const Text = Type.String({
  description: `1 to ${MAX_COMMENT_LENGTH} characters of plain text. \`@\` and the id of a member mentions them.`,
})

export const Comment = Type.Object({
  id: CommentId,
  author: Author,
  text: Text,
  /** The members whom the text mentions by their ids. */
  mentions: Type.Array(PersonReference),
  createdAt: Timestamp,
  /** Null: the comment was not edited. */
  editedAt: Type.Union([Timestamp, Type.Null()]),
})
export type Comment = Static<typeof Comment>

/** A thread as lists show it. */
export const CommentThread = Type.Object({
  id: ThreadId,
  anchor: CommentAnchor,
  createdAt: Timestamp,
  /** Null: the thread is open. */
  resolved: Type.Union([Type.Object({ at: Timestamp, by: Author }), Type.Null()]),
  /** The number of comments in the thread. */
  comments: Type.Integer(),
  /** The author of the first comment. */
  author: Author,
  /** The beginning of the first comment, on one line, with the names of the people it mentions. */
  excerpt: Type.String(),
  lastCommentId: CommentId,
  lastCommentAt: Timestamp,
  /** The number of comments of others that the caller has not read; 0 for a resolved thread. */
  unread: Type.Integer(),
  /** Whether a comment of the thread that the caller has not read mentions them. */
  isMentioned: Type.Boolean(),
})
export type CommentThread = Static<typeof CommentThread>

const ThreadAnswer = Type.Object({
  thread: CommentThread,
  /** The comments, the oldest first. */
  comments: Type.Array(Comment),
})
export type ThreadAnswer = Static<typeof ThreadAnswer>

const ThreadParams = Type.Object({ documentId: Type.String(), threadId: Type.String() })
const CommentParams = Type.Object({
  documentId: Type.String(),
  threadId: Type.String(),
  commentId: Type.String(),
})

/** The threads of comments about a document, open and resolved. Those with the latest comments come first. */
export const listThreads = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/threads',
  needs: 'viewer',
  params: DocumentParams,
  response: Type.Object({
    threads: Type.Array(CommentThread),
    /** The revision differs after each change, which the live connection announces. */
    revision: Type.Integer(),
  }),
})

/** Begin a thread with a comment. */
export const createThread = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/threads',
  needs: 'viewer',
  params: DocumentParams,
  body: Type.Object({ anchor: CommentAnchor, text: Text }),
  response: ThreadAnswer,
  status: 201,
  errors: ['comment_not_acceptable', 'too_many_threads', 'comments_too_fast'],
})

/** A thread with its comments. */
export const readThread = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/threads/:threadId',
  needs: 'viewer',
  params: ThreadParams,
  response: ThreadAnswer,
  errors: ['thread_not_found'],
})

/** Resolve a thread, or open it again. */
export const changeThread = appEndpoint({
  method: 'PATCH',
  path: '/documents/:documentId/threads/:threadId',
  needs: 'viewer',
  params: ThreadParams,
  body: Type.Object({ isResolved: Type.Boolean() }),
  response: ThreadAnswer,
  errors: ['thread_not_found'],
})

/** Reply in a thread. A resolved thread is reopened by it. */
export const addComment = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/threads/:threadId/comments',
  needs: 'viewer',
  params: ThreadParams,
  body: Type.Object({ text: Text }),
  response: ThreadAnswer,
  status: 201,
  errors: ['thread_not_found', 'comment_not_acceptable', 'too_many_comments', 'comments_too_fast'],
})

/** Edit an own comment. */
export const changeComment = appEndpoint({
  method: 'PATCH',
  path: '/documents/:documentId/threads/:threadId/comments/:commentId',
  needs: 'viewer',
  params: CommentParams,
  body: Type.Object({ text: Text }),
  response: ThreadAnswer,
  errors: ['comment_not_found', 'comment_of_another', 'comment_not_acceptable', 'comments_too_fast'],
})

/** Delete an own comment; owners can delete any. A thread whose last comment is deleted is gone. */
export const deleteComment = appEndpoint({
  method: 'DELETE',
  path: '/documents/:documentId/threads/:threadId/comments/:commentId',
  needs: 'viewer',
  params: CommentParams,
  response: Nothing,
  errors: ['comment_not_found', 'comment_of_another'],
})

/**
 * Mark comments as read by the caller: those of one thread, or of all. Comments after `upTo`, which the caller has not
 * seen, stay unread.
 */
export const markCommentsRead = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/comments/read',
  needs: 'viewer',
  params: DocumentParams,
  body: Type.Object({
    upTo: Type.String({ description: 'The id of the latest comment that the caller has seen.' }),
    /** The thread whose comments are marked; all threads when left out. */
    thread: Type.Optional(Type.String()),
  }),
  response: Nothing,
  errors: ['comment_not_found', 'thread_not_found'],
})
