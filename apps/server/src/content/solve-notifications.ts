import type { Database, Subscription, Write } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

/** What has become of solves. `queued`: they wait for a solver, perhaps again. */
export type SolveChange = 'queued' | 'running' | 'ended'

const TOPIC = 'solves'

/** A PostgreSQL notification has 8,000 bytes at most. */
const DOCUMENTS_PER_MESSAGE = 400

/** Publishes, when `write` commits, that solves of these documents have changed. */
export async function publishSolves(
  database: Pick<Database, 'publish'>,
  write: Write,
  change: SolveChange,
  documents: readonly DocumentKey[],
): Promise<void> {
  for (let start = 0; start < documents.length; start += DOCUMENTS_PER_MESSAGE) {
    const some = documents.slice(start, start + DOCUMENTS_PER_MESSAGE)
    await database.publish(write, `${TOPIC} ${change} ${some.join(',')}`)
  }
}

/** Solves of these documents have changed, through any process; undefined: any may have. */
export type OnSolves = (
  changed: { change: SolveChange; documents: readonly DocumentKey[] } | undefined,
) => void

export function subscribeToSolves(database: Pick<Database, 'subscribe'>, onSolves: OnSolves): Subscription {
  return database.subscribe((message) => {
    if (message === undefined) return onSolves(undefined)
    const [topic, change, documents] = message.split(' ')
    if (topic !== TOPIC) return
    onSolves({
      change: change as SolveChange,
      documents: documents!.split(',').map(Number) as DocumentKey[],
    })
  })
}
