import type { UserId } from '@meadow/contract'
import {
  type Checked,
  describeChange,
  hasChanges,
  openUpdateCheck,
  type UpdateRejection,
} from '@meadow/document/live'
import type * as Y from 'yjs'
import type { ChangeLog } from '../../content/change-log.ts'
import { ClientTakenError, type Editor, ValueMissingError } from '../../content/change-log.ts'
import type { ChangeNotifications } from '../../content/change-notifications.ts'
import type { ContentParts } from '../../content/content.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import { openReplica, type Replica } from '../../content/replica.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'

export interface DocumentSessionParts {
  content: ContentParts
  contents: Pick<DocumentContents, 'shareReplica'>
  changes: ChangeLog
  notifications: ChangeNotifications
  onError(error: unknown, document?: DocumentKey): void
}

/** Why an edit is rejected, with a sentence for the person who made it. */
export type EditRejection = Pick<UpdateRejection, 'sentence' | 'detail'> &
  Partial<Pick<UpdateRejection, 'code'>>

const VALUE_MISSING: EditRejection = {
  sentence: 'This edit refers to a value that is not here.',
  detail: 'a value that no document of the team has',
}
const CLIENT_TAKEN: EditRejection = {
  sentence: 'This edit carries the mark of another editor.',
  detail: 'a client that another process knows of',
}

/** A document that is open for editing in this process. */
export interface DocumentSession {
  readonly document: DocumentKey
  readonly team: TeamKey
  /**
   * Checks an edit, appends it to the log, and then applies it to the document. Resolves to the reason when the edit is
   * rejected, which leaves no trace. Throws when the edit could not be stored, as `ChangeLog.append` does.
   */
  receive(update: Uint8Array, editor: Editor): Promise<EditRejection | undefined>
  /** Whether a Yjs client is the user's, or no user's yet. */
  ownsClient(client: number, user: UserId): boolean
  /** Stores a snapshot now. */
  compact(): Promise<void>
  close(): void
}

/**
 * Opens a document into `doc`, which is empty. `onComputedChange` is called, with the position in the log, after changes
 * that affect what a solve computes.
 */
export async function openDocumentSession(
  parts: DocumentSessionParts,
  { document, team }: { document: DocumentKey; team: TeamKey },
  doc: Y.Doc,
  onComputedChange: (seq: number) => void,
): Promise<DocumentSession> {
  const { content, changes, notifications } = parts
  const onError = (error: unknown) => parts.onError(error, document)
  const replica = await openReplica(content, document, doc, (transaction, seq) => {
    if (describeChange(transaction).computes) onComputedChange(seq)
  })
  const owners = await content.store.listOwners(document)
  const check = openUpdateCheck(doc, { owners })
  const compaction = createCompaction(replica, onError)
  const unshareReplica = parts.contents.shareReplica(document, replica)
  const unsubscribe = notifications.subscribe(document, (seq) => {
    if (seq > replica.seq) replica.catchUp(seq).then(compaction.schedule, onError)
  })

  /** Fetches what other processes have stored before an edit is rejected for something that is missing here. */
  async function checkUpdate(update: Uint8Array, user: UserId): Promise<Checked> {
    const checked = check.check(update, user)
    if (checked.rejected?.code !== 'behind' && checked.rejected?.code !== 'foreign_client') return checked
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
      if (checked.rejected) return checked.rejected
      const { newClients, values } = checked
      try {
        const { seq } = await changes.append({ document, team, update, editor, newClients, values })
        for (const client of newClients) owners.set(client, user)
        await replica.apply({ seq, update })
        compaction.schedule()
        return undefined
      } catch (error) {
        if (error instanceof ValueMissingError) return VALUE_MISSING
        if (!(error instanceof ClientTakenError)) throw error
        await refreshOwners()
        return CLIENT_TAKEN
      }
    },
    ownsClient: (client, user) => (owners.get(client) ?? user) === user,
    compact: compaction.run,
    close() {
      unsubscribe()
      compaction.stop()
      check.close()
      unshareReplica()
      replica.close()
    },
  }
}

/** Replaces the log of an open document with a snapshot from time to time. */
interface Compaction {
  /** Schedules a snapshot. Call this after each edit. */
  schedule(): void
  run(): Promise<void>
  stop(): void
}

/** The log is compacted this long after the last edit, and at the latest this long after the first one in it. */
const QUIET_MS = 3000
const MAX_DELAY_MS = 60_000
/** The event loop is blocked while a large document is encoded: at most for this share of the time. */
const MAX_SHARE = 0.01

function createCompaction(replica: Replica, onError: (error: unknown) => void): Compaction {
  let timer: NodeJS.Timeout | undefined
  let firstEditAt: number | undefined
  let minDelayMs = 0

  async function run(): Promise<void> {
    clearTimeout(timer)
    firstEditAt = undefined
    const startedAt = performance.now()
    try {
      await replica.compact()
    } catch (error) {
      // No edit is lost, because the log still has all of them.
      onError(error)
    }
    minDelayMs = (performance.now() - startedAt) / MAX_SHARE
  }

  return {
    schedule() {
      firstEditAt ??= performance.now()
      const remainingMs = Math.max(MAX_DELAY_MS, minDelayMs) - (performance.now() - firstEditAt)
      const delayMs = Math.max(0, Math.min(Math.max(QUIET_MS, minDelayMs), remainingMs))
      clearTimeout(timer)
      timer = setTimeout(run, delayMs).unref()
    },
    run,
    stop: () => clearTimeout(timer),
  }
}
