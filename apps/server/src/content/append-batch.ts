import { canEdit, type UserId } from '@meadow/contract'
import { createDocumentWrites } from '../catalogue/document-writes.ts'
import { readFolderPath } from '../catalogue/folder-path.ts'
import { createIndexChanges, type IndexChanges } from '../catalogue/index-changes.ts'
import { raiseVersion } from '../catalogue/raise-version.ts'
import type { Database, Write } from '../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'
import {
  ClientTakenError,
  DocumentGoneError,
  EditForbiddenError,
  type Editor,
  type KeptChange,
  type NewChange,
  SessionEndedError,
  ValueMissingError,
} from './change.ts'
import { claimValues } from './document-values.ts'
import { sayChanged } from './head-watch.ts'

/** What became of each change, in their order; throws when nothing was kept. */
export type AppendBatch = (changes: readonly NewChange[]) => Promise<(KeptChange | Error)[]>

/** Writes changes of any documents in one transaction, with all that follows from an edit. */
export function createAppendBatch(database: Database, now: () => number = Date.now): AppendBatch {
  const findDocument = database.prepareWrite((write, { document, team }: DocumentParameters) =>
    write
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where('document.id', '=', document)
      .where('document.team_id', '=', team)
      .where('document.bin_id', 'is', null)
      .select([
        'document.id',
        'document.public_id as publicId',
        'document.name_folded as nameFolded',
        'document.updated_at as updatedAt',
        'document.seq',
        'folder.path',
      ]),
  )
  const moveHead = database.prepareWrite((write, { document, seq, at }: HeadParameters) =>
    write.updateTable('document').set({ seq, updated_at: at }).where('id', '=', document),
  )
  const writes = createDocumentWrites(database)

  async function appendTo(
    write: Write,
    { document, team }: DocumentParameters,
    changes: readonly NewChange[],
    editors: Editors,
    index: IndexChanges,
  ): Promise<(KeptChange | Error)[]> {
    const [found] = await findDocument(write, { document, team })
    if (!found) return changes.map(() => new DocumentGoneError('The document is gone.'))
    const at = now()
    let { seq } = found
    const outcomes: (KeptChange | Error)[] = []
    for (const change of changes) {
      const refusal = change.editor && editors.refuse(change.editor, team)
      if (refusal) {
        outcomes.push(refusal)
        continue
      }
      if (!(await claimClients(write, change))) {
        outcomes.push(new ClientTakenError('The edit carries the number of another editor.'))
        continue
      }
      if (!(await claimValues(write, team, document, change.values ?? []))) {
        outcomes.push(new ValueMissingError('The edit refers to a value that is not there.'))
        continue
      }
      seq++
      await writes.addChange(write, { document, seq, change: change.update, at })
      outcomes.push({ seq })
    }
    if (seq === found.seq) return outcomes
    await moveHead(write, { document, seq, at })
    const { path, seq: _, ...facts } = found
    const before = { ...facts, team, folders: readFolderPath(path) }
    index.replace(before, { ...before, updatedAt: at })
    await sayChanged(database, write, document, seq)
    return outcomes
  }

  return (changes) =>
    database.transaction(async (write) => {
      // In one order, whoever does it: nobody waits in a circle.
      const teams = [...new Set(changes.map(({ team }) => team))].sort((a, b) => a - b)
      for (const team of teams) await raiseVersion(write, team)
      const editors = await lockEditors(database, write, changes, now())
      const index = createIndexChanges()
      const outcomes = new Map<NewChange, KeptChange | Error>()
      for (const ofDocument of Map.groupBy(changes, ({ document }) => document).values()) {
        const kept = await appendTo(write, ofDocument[0]!, ofDocument, editors, index)
        for (const [at, change] of ofDocument.entries()) outcomes.set(change, kept[at]!)
      }
      await database.searchIndex.apply(write, index.collected())
      return changes.map((change) => outcomes.get(change)!)
    })
}

/** Who of a batch may edit, as of its transaction. */
interface Editors {
  /** Why an edit is not kept; undefined when it may be. */
  refuse(editor: Editor, team: TeamKey): Error | undefined
}

/**
 * Reads sessions and roles of all editors of a batch, in one query, such that none of them changes until `write` ends:
 * what ends a session or a membership is committed before this reads, or after the edits are.
 * Changes of members wait for the lock of the team (`raiseVersion`), which the transaction has to hold already. Ending a
 * session takes no such lock, so on PostgreSQL the sessions are locked here; on SQLite only one transaction writes.
 * A session that is being deleted at this moment counts as ended: waiting for it could deadlock with a transaction that
 * deletes several sessions of one user.
 */
async function lockEditors(
  database: Database,
  write: Write,
  changes: readonly NewChange[],
  now: number,
): Promise<Editors> {
  const edited = changes.filter(({ editor }) => editor !== undefined)
  if (edited.length === 0) return { refuse: () => undefined }
  const teams = [...new Set(edited.map(({ team }) => team))]
  const rows = await write
    .selectFrom('session')
    .leftJoin('membership', (join) =>
      join.onRef('membership.user_id', '=', 'session.userId').on('membership.team_id', 'in', teams),
    )
    .where('session.id', 'in', [...new Set(edited.map(({ editor }) => editor!.session))])
    .select(['session.id', 'session.userId', 'session.expiresAt', 'membership.team_id', 'membership.role'])
    .$if(database.dialect === 'postgres', (query) => query.forKeyShare('session').skipLocked())
    .execute()
  const sessions = new Map<string, UserId>()
  const allowed = new Set<string>()
  for (const { id, userId, expiresAt, team_id, role } of rows) {
    if (new Date(expiresAt).getTime() > now) sessions.set(id, userId)
    if (role !== null && canEdit(role)) allowed.add(`${userId} ${team_id}`)
  }
  return {
    refuse({ user, session }, team) {
      if (sessions.get(session) !== user) return new SessionEndedError('The session of the editor has ended.')
      if (!allowed.has(`${user} ${team}`))
        return new EditForbiddenError('The editor may not edit documents of the team.')
      return undefined
    },
  }
}

/**
 * Makes the new Yjs clients of a change its editor's. False when one of them is somebody else's already, which this
 * process did not know of yet.
 */
async function claimClients(
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
