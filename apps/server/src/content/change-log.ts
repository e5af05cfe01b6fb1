import type { UserId } from '@meadow/contract'
import { canEdit } from '@meadow/contract/terms'
import type { Reference } from '@meadow/document/live'
import { type CurrentRole, lockCurrentRoles, type Writer } from '../access/current-roles.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'
import type { ChangeAuthor } from '../team/change-author.ts'
import { addChange } from '../team/document-writes.ts'
import { readFolderPath } from '../team/folders.ts'
import { createIndexChanges, INDEXED_COLUMNS, type IndexChanges } from '../team/index-changes.ts'
import { raiseVersion, takeTime } from '../team/raise-version.ts'
import { enqueueEvent } from '../team/webhook-events.ts'
import { publishChange } from './change-notifications.ts'
import { registerValues } from './document-values.ts'

/** Who edits: a user, in one of their sessions. */
export interface Editor {
  user: UserId
  /** The id of the session, not its token. */
  session: string
  /** Whether a program edits in the name of the user. */
  isAgent?: boolean
}

/** An edit to be appended. */
export interface NewChange {
  document: DocumentKey
  team: TeamKey
  /** A validated Yjs update. */
  update: Uint8Array
  /** Undefined for the operator, who needs neither a session nor a membership. */
  editor?: Editor | undefined
  /** The Yjs clients that are new in the update, and belong to the editor from now on. */
  newClients?: readonly number[]
  /** The blobs that the update refers to. */
  values?: readonly Reference[]
}

/** A change that is committed. */
export interface AppendedChange {
  /** The position of the change in the document's log. */
  seq: number
}

/** A Yjs client of the change belongs to another user: the change is rejected. */
export class ClientTakenError extends Error {}

/** The change refers to a value that the team does not have: the change is rejected. */
export class ValueMissingError extends Error {}

/** The document is in the bin, or was deleted permanently. */
export class DocumentDeletedError extends Error {}

/** The editor's session has ended: they signed out, it expired, or an operator revoked it. */
export class SessionEndedError extends Error {}

/** The editor is not a member of the document's team, or has a role that may not edit. */
export class EditForbiddenError extends Error {}

/**
 * The log of edits. A change is committed when its promise resolves. Changes that arrive while others are being written
 * are written together afterwards, in one transaction and in their order.
 */
export interface ChangeLog {
  /**
   * Throws a {@link ClientTakenError}, {@link ValueMissingError}, {@link DocumentDeletedError}, {@link SessionEndedError} or
   * {@link EditForbiddenError}, or an error of the database.
   */
  append(change: NewChange): Promise<AppendedChange>
  /** Resolves when all changes appended so far have been written, or have failed. */
  settle(): Promise<void>
}

interface WaitingChange extends NewChange {
  resolve(change: AppendedChange): void
  reject(error: unknown): void
}

/** The limits of one transaction, for which all other writers wait on SQLite. */
const MAX_AT_ONCE = 500

const MAX_BYTES_AT_ONCE = 8 * 2 ** 20

export function createChangeLog(database: Database): ChangeLog {
  const appendBatch = createAppendBatch(database)
  let waiting: WaitingChange[] = []
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    // One tick of the event loop later, changes from other sockets go into the same transaction.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = takeBatch(waiting)
      waiting = waiting.slice(batch.length)
      await writeBatch(batch)
    }
    writing = undefined
  }

  async function writeBatch(batch: readonly WaitingChange[]): Promise<void> {
    try {
      const outcomes = await appendBatch(batch)
      batch.forEach((change, at) => {
        const outcome = outcomes[at]!
        if (outcome instanceof Error) change.reject(outcome)
        else change.resolve(outcome)
      })
    } catch (error) {
      for (const change of batch) change.reject(error)
    }
  }

  return {
    append(change) {
      const { promise, resolve, reject } = Promise.withResolvers<AppendedChange>()
      waiting.push({ ...change, resolve, reject })
      writing ??= writeAll()
      return promise
    },
    async settle() {
      while (writing) await writing
    },
  }
}

function takeBatch(waiting: readonly WaitingChange[]): WaitingChange[] {
  let bytes = 0
  const end = waiting.findIndex(({ update }, at) => {
    bytes += update.length
    return at > 0 && (at >= MAX_AT_ONCE || bytes > MAX_BYTES_AT_ONCE)
  })
  return waiting.slice(0, end === -1 ? waiting.length : end)
}

/** Returns the outcome of each change, in order; throws when none was appended. */
type AppendBatch = (changes: readonly NewChange[]) => Promise<(AppendedChange | Error)[]>

/** Appends changes of any documents in one transaction, which also updates versions, times and the search index. */
function createAppendBatch(database: Database, now: () => number = () => timeOf(database.read)): AppendBatch {
  const findDocument = database.prepareWrite((write, { document, team }: DocumentParameters) =>
    write
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where('document.id', '=', document)
      .where('document.team_id', '=', team)
      .where('document.bin_id', 'is', null)
      .select([...INDEXED_COLUMNS, 'document.seq']),
  )
  const moveHead = database.prepareWrite((write, { document, seq, at }: HeadParameters) =>
    write.updateTable('document').set({ seq, updated_at: at }).where('id', '=', document),
  )

  async function appendTo(
    write: Write,
    { document, team }: DocumentParameters,
    changes: readonly NewChange[],
    at: number,
    roleOf: (editor: Writer) => CurrentRole,
    index: IndexChanges,
  ): Promise<(AppendedChange | Error)[]> {
    const [found] = await findDocument(write, { document, team })
    if (!found) return changes.map(() => new DocumentDeletedError('The document is gone.'))
    let { seq } = found
    const outcomes: (AppendedChange | Error)[] = []
    for (const change of changes) {
      const error = change.editor && checkRole(roleOf({ ...change.editor, team }))
      if (error) {
        outcomes.push(error)
        continue
      }
      if (!(await registerClients(write, change))) {
        outcomes.push(new ClientTakenError('The edit carries the number of another editor.'))
        continue
      }
      if (!(await registerValues(write, team, document, change.values ?? []))) {
        outcomes.push(new ValueMissingError('The edit refers to a value that is not there.'))
        continue
      }
      seq++
      await addChange(write, { document, seq, change: change.update, at, author: authorOf(change) })
      outcomes.push({ seq })
    }
    if (seq === found.seq) return outcomes
    await moveHead(write, { document, seq, at })
    const { path, seq: _, ...properties } = found
    const before = { ...properties, team, folders: readFolderPath(path) }
    index.replace(before, { ...before, updatedAt: at })
    await publishChange(database, write, document, seq)
    enqueueEvent(write, { type: 'document.changed', team, document })
    return outcomes
  }

  return (changes) =>
    database.transaction(async (write) => {
      // Always in this order, so that two transactions cannot deadlock.
      const teams = [...new Set(changes.map(({ team }) => team))].sort((a, b) => a - b)
      const times = new Map<TeamKey, number>()
      for (const team of teams) {
        await raiseVersion(write, team)
        times.set(team, await takeTime(write, team))
      }
      const writers = changes.flatMap(({ editor, team }) => (editor ? [{ ...editor, team }] : []))
      const roleOf = await lockCurrentRoles(database, write, writers, now())
      const index = createIndexChanges()
      const outcomes = new Map<NewChange, AppendedChange | Error>()
      for (const ofDocument of Map.groupBy(changes, ({ document }) => document).values()) {
        const [first] = ofDocument
        const at = times.get(first!.team)!
        const appended = await appendTo(write, first!, ofDocument, at, roleOf, index)
        for (const [at, change] of ofDocument.entries()) outcomes.set(change, appended[at]!)
      }
      await database.searchIndex.apply(write, index.collected())
      return changes.map((change) => outcomes.get(change)!)
    })
}

const authorOf = ({ editor }: NewChange): ChangeAuthor =>
  editor
    ? { kind: editor.isAgent ? 'agent' : 'person', user: editor.user, session: editor.session }
    : { kind: 'operator' }

/** The error of an editor who may not edit; undefined when they may. */
function checkRole(role: CurrentRole): Error | undefined {
  if (role === 'signed_out') return new SessionEndedError('The session of the editor has ended.')
  return role !== undefined && canEdit(role)
    ? undefined
    : new EditForbiddenError('The editor may not edit documents of the team.')
}

/**
 * Registers the new Yjs clients of a change for its editor. False when one of them already belongs to another user, which
 * this process did not know yet.
 */
async function registerClients(
  write: Write,
  { document, editor, newClients = [] }: NewChange,
): Promise<boolean> {
  if (editor === undefined || newClients.length === 0) return true
  const { user } = editor
  await write
    .insertInto('document_client')
    .values(newClients.map((client) => ({ document_id: document, client, user_id: user })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const taken = await write
    .selectFrom('document_client')
    .where('document_id', '=', document)
    .where('client', 'in', newClients)
    .where('user_id', '<>', user)
    .select('client')
    .executeTakeFirst()
  return taken === undefined
}

interface DocumentParameters {
  document: DocumentKey
  team: TeamKey
}

interface HeadParameters {
  document: DocumentKey
  seq: number
  at: number
}
