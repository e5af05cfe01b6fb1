import type { UserId } from '@meadow/contract'
import {
  addComment,
  type CommentAnchor,
  changeComment,
  changeThread,
  createThread,
  deleteComment,
  listThreads,
  markCommentsRead,
  readThread,
} from '@meadow/contract/web'
import type { Actor } from '../../access/current-roles.ts'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import type { Person } from '../../access/sessions.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { RateWindows } from '../../platform/cluster/rate-windows.ts'
import type { Database } from '../../platform/database/database.ts'
import { type CommentChanges, changeComments } from './comment-changes.ts'
import { readCommentText } from './comment-text.ts'
import type { CommentStore } from './comments.store.ts'

export interface CommentRouteParts {
  database: Database
  store: CommentStore
  /** Counts what a person writes. */
  pace: Pick<RateWindows, 'take'>
}

/** Comments that a person writes or edits in a minute, in all documents: each may send mails. */
const MAX_PER_MINUTE = 30

export const commentRoutes = ({ database, store, pace }: CommentRouteParts) => {
  const change = <T>(
    { access, actor }: { access: DocumentAccess; actor: Actor },
    work: (changes: CommentChanges) => Promise<T>,
  ) => changeComments(database, actor, access, work)

  /** The text of a body, of somebody who has not written too much. */
  async function readText({ body, person }: { body: { text: string }; person: Person }): Promise<string> {
    const text = readCommentText(body.text)
    // Counted apart from the comments: neither edits nor deleted ones would be among these.
    const { isWithin, msLeft } = await pace.take(`comments of ${person.userId}`, MAX_PER_MINUTE)
    if (isWithin) return text
    throw new HttpError('comments_too_fast', { headers: { 'retry-after': String(Math.ceil(msLeft / 1000)) } })
  }

  async function answer(access: DocumentAccess, thread: string, reader: UserId) {
    const found = await store.find(access, thread, reader)
    if (!found) throw new HttpError('thread_not_found')
    return found
  }

  return [
    serveApp(listThreads, ({ access, person }) => store.list(access, person.userId)),

    serveApp(createThread, async (request) => {
      const text = await readText(request)
      const id = await change(request, (changes) =>
        changes.createThread(readAnchor(request.body.anchor), text),
      )
      return answer(request.access, id, request.person.userId)
    }),

    serveApp(readThread, ({ access, params, person }) => answer(access, params.threadId, person.userId)),

    serveApp(changeThread, async (request) => {
      const { access, params, body, person } = request
      await change(request, (changes) => changes.setResolved(params.threadId, body.isResolved))
      return answer(access, params.threadId, person.userId)
    }),

    serveApp(addComment, async (request) => {
      const { access, params, person } = request
      const text = await readText(request)
      await change(request, (changes) => changes.addComment(params.threadId, text))
      return answer(access, params.threadId, person.userId)
    }),

    serveApp(changeComment, async (request) => {
      const { access, params, person } = request
      const text = await readText(request)
      await change(request, (changes) => changes.changeComment(params.threadId, params.commentId, text))
      return answer(access, params.threadId, person.userId)
    }),

    serveApp(deleteComment, (request) =>
      change(request, (changes) => changes.deleteComment(request.params.threadId, request.params.commentId)),
    ),

    serveApp(markCommentsRead, (request) =>
      change(request, (changes) => changes.markRead(request.body.upTo, request.body.thread)),
    ),
  ]
}

/** Copies only what is declared, since a body may have further members. */
function readAnchor(anchor: CommentAnchor): CommentAnchor {
  switch (anchor.kind) {
    case 'document':
      return { kind: 'document' }
    case 'node':
      return { kind: 'node', node: anchor.node }
    case 'group':
      return { kind: 'group', group: anchor.group }
    case 'point': {
      const { x, y, z, on } = anchor
      return {
        ...{ kind: 'point', x, y, z },
        on: on && { node: on.node, port: on.port, path: on.path, index: on.index },
      }
    }
  }
}
