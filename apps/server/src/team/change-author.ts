import type { UserId } from '@meadow/contract'
import type { ChangeAuthorKind } from '@meadow/contract/web/terms'
import { currentContext } from '../audit/request-context.ts'

/** Who made a change of a document. */
export interface ChangeAuthor {
  kind: ChangeAuthorKind
  /** The account of a person or agent, and of a person who uploaded a file. */
  user?: UserId | undefined
  /** The id of their session. */
  session?: string | undefined
}

/** The author of a change that is not an edit over a socket: the import of a file, or what a request or command does. */
export function currentAuthor({ isImport }: { isImport: boolean }): ChangeAuthor {
  const { actor, session } = currentContext()
  const user = actor.kind === 'user' ? (actor.id as UserId | undefined) : undefined
  if (isImport) return { kind: 'import', user, session }
  return { kind: user === undefined ? 'operator' : 'person', user, session }
}

export const authorColumns = ({ kind, user, session }: ChangeAuthor) => ({
  author_kind: kind,
  user_id: user ?? null,
  session_id: session ?? null,
})
