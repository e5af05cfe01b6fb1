import type { UserId } from '@meadow/contract'
import { type Checked,describeChange,hasChanges,openUpdateCheck,type UpdateRejection } from '@meadow/document/live'
import type * as Y from 'yjs'
import { type ChangeLog,ClientTakenError,type Editor,ValueMissingError } from '../../content/change-log.ts'
import type { ChangeNotifications } from '../../content/change-notifications.ts'
import type { ContentParts } from '../../content/content.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import { openReplica } from '../../content/replica.ts'
import type { DocumentKey,TeamKey } from '../../platform/database/tables.ts'
import { createFolding } from './folding.ts'

export interface RoomParts {
  content: ContentParts
  contents: Pick<DocumentContents, 'shareReplica'>
  changes: ChangeLog
  heads: ChangeNotifications
  onError(error: unknown, document?: DocumentKey): void
}

/** Why an edit is not taken: sentences for the person whose editor sent it. */
export type EditRefusal = Pick<UpdateRejection, 'sentence' | 'detail'> &
  Partial<Pick<UpdateRejection, 'code'>>

const VALUE_MISSING: EditRefusal = {
  sentence: 'This edit refers to a value that is not here.',
  detail: 'a value that no document of the team has',
}
const CLIENT_TAKEN: EditRefusal = {
  sentence: 'This edit carries the mark of another editor.',
  detail: 'a client that another process knows of',
}

/** A document that is open for editing in this process. */
export interface Room {
  readonly document: DocumentKey
  readonly team: TeamKey
  /**
   * Takes an edit: checked, then safe in the log, then part of the document. Resolves to why it was refused, which
   * leaves no trace, or to undefined. Throws when it could not be kept, as `ChangeLog.append` does.
   */
  receive(update: Uint8Array, editor: Editor): Promise<EditRefusal | undefined>
  /** Whether this Yjs client is nobody else's. */
  mayBe(client: number, user: UserId): boolean
  fold(): Promise<void>
  close(): void
}

/** Opens a room over `doc`, which is empty. `onComputing` is told of changes after which a solve gives something else. */
export async function openRoom(
  parts: RoomParts,
  { document, team }: { document: DocumentKey; team: TeamKey },
  doc: Y.Doc,
  onComputing: (seq: number) => void,
): Promise<Room> {
  const { content, changes, heads } = parts
  const onError = (error: unknown) => parts.onError(error, document)
  const replica = await openReplica(content, document, doc, (transaction, seq) => {
    if (describeChange(transaction).computes) onComputing(seq)
  })
  const owners = await content.store.listOwners(document)
  const check = openUpdateCheck(doc, { owners })
  const folding = createFolding(replica, onError)
  const giveBack = parts.contents.shareReplica(document, replica)
  const unfollow = heads.subscribe(document, (seq) => {
    if (seq > replica.seq) replica.catchUp(seq).then(folding.note, onError)
  })

  /** Another process may know already what is missing here, so that is fetched before anything is refused. */
  async function checkUpdate(update: Uint8Array, user: UserId): Promise<Checked> {
    const checked = check.check(update, user)
    if (checked.refused?.code !== 'behind' && checked.refused?.code !== 'foreign_client') return checked
    await replica.catchUp()
    await refreshOwners()
    return check.check(update, user)
  }

  async function refreshOwners(): Promise<void> {
    const stored = await content.store.listOwners(document)
    for (const [client, owner] of stored) owners.set(client, owner)
  }

  return {
    document,
    team,
    async receive(update, editor) {
      if (!hasChanges(doc, update)) return undefined
      const { user } = editor
      const checked = await checkUpdate(update, user)
      if (checked.refused) return checked.refused
      const { newClients, values } = checked
      try {
        const { seq } = await changes.append({ document, team, update, editor, newClients, values })
        for (const client of newClients) owners.set(client, user)
        await replica.apply({ seq, update })
        folding.note()
        return undefined
      } catch (error) {
        if (error instanceof ValueMissingError) return VALUE_MISSING
        if (!(error instanceof ClientTakenError)) throw error
        await refreshOwners()
        return CLIENT_TAKEN
      }
    },
    mayBe: (client, user) => (owners.get(client) ?? user) === user,
    fold: folding.finish,
    close() {
      unfollow()
      folding.stop()
      check.close()
      giveBack()
      replica.close()
    },
  }
}
