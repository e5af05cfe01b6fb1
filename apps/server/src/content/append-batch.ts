import { canEdit } from '@meadow/contract'
import { type CurrentRole, lockCurrentRoles, type Writer } from '../access/current-roles.ts'
import type { Database, Write } from '../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'
import { createDocumentWrites } from '../team-writes/document-writes.ts'
import { readFolderPath } from '../team-writes/folder-path.ts'
import { createIndexChanges, type IndexChanges } from '../team-writes/index-changes.ts'
import { raiseVersion } from '../team-writes/raise-version.ts'
import {
  ClientTakenError,
  DocumentDeletedError,
  EditForbiddenError,
  type KeptChange,
  type NewChange,
  SessionEndedError,
  ValueMissingError,
} from './change.ts'
import { publishChange } from './change-notifications.ts'
import { claimValues } from './document-values.ts'

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
    roleOf: (editor: Writer) => CurrentRole,
    index: IndexChanges,
  ): Promise<(KeptChange | Error)[]> {
    const [found] = await findDocument(write, { document, team })
    if (!found) return changes.map(() => new DocumentDeletedError('The document is gone.'))
    const at = now()
    let { seq } = found
    const outcomes: (KeptChange | Error)[] = []
    for (const change of changes) {
      const refusal = change.editor && refuseEdit(roleOf({ ...change.editor, team }))
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
    await publishChange(database, write, document, seq)
    return outcomes
  }

  return (changes) =>
    database.transaction(async (write) => {
      // In one order, whoever does it: nobody waits in a circle.
      const teams = [...new Set(changes.map(({ team }) => team))].sort((a, b) => a - b)
      for (const team of teams) await raiseVersion(write, team)
      const writers = changes.flatMap(({ editor, team }) => (editor ? [{ ...editor, team }] : []))
      const roleOf = await lockCurrentRoles(database, write, writers, now())
      const index = createIndexChanges()
      const outcomes = new Map<NewChange, KeptChange | Error>()
      for (const ofDocument of Map.groupBy(changes, ({ document }) => document).values()) {
        const kept = await appendTo(write, ofDocument[0]!, ofDocument, roleOf, index)
        for (const [at, change] of ofDocument.entries()) outcomes.set(change, kept[at]!)
      }
      await database.searchIndex.apply(write, index.collected())
      return changes.map((change) => outcomes.get(change)!)
    })
}

/** Why an edit is not kept; undefined when it may be. */
function refuseEdit(role: CurrentRole): Error | undefined {
  if (role === 'signed_out') return new SessionEndedError('The session of the editor has ended.')
  return role !== undefined && canEdit(role)
    ? undefined
    : new EditForbiddenError('The editor may not edit documents of the team.')
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
