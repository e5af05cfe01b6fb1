import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { BlobStore } from '../blobs/blobs.ts'
import type { Database } from '../database/database.ts'
import { databaseNow } from '../database/database-clock.ts'
import { reasonOf } from '../system-errors.ts'

/** What a process found when it was asked. */
export interface ProbeAnswer {
  /** Whether the process can read the metadata of the probe in its blob store; otherwise why not. */
  blobs: 'visible' | 'missing' | { failed: string }
  /** By how many milliseconds the clock of the process is ahead of the database's. */
  clockAheadMs: number
  /** What the process has noticed that the operator should know; undefined for processes of older versions. */
  notices?: readonly string[] | undefined
}

/** How often a process looks for probes, and the one that asks looks for answers. */
const LOOK_EVERY_MS = 1000
/** Probes of a command that was killed are removed by the next one. */
const FORGET_AFTER_MS = 60 * 60 * 1000

const markOf = (probe: string): string => `probe-${probe}`

/** A process that answers probes. */
interface Answerer {
  id: string
  blobs: Pick<BlobStore, 'readMetadata'>
  /** What the process has noticed so far. */
  notices?: readonly string[] | undefined
}

/** Answers probes until the function that it returns is called. */
export function answerProbes(database: Database, answerer: Answerer): () => Promise<void> {
  const closing = new AbortController()
  const { signal } = closing
  const answering = (async () => {
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false })
      // While the database is unavailable there is nothing to answer.
      await answerOpen(database, answerer).catch(() => {})
    }
  })().catch(() => {})
  return async () => {
    closing.abort()
    await answering
  }
}

async function answerOpen(database: Database, { id, blobs, notices }: Answerer): Promise<void> {
  const open = await database.read
    .selectFrom('probe')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('probe_answer')
            .whereRef('probe_id', '=', 'probe.id')
            .where('process_id', '=', id)
            .select('probe_id'),
        ),
      ),
    )
    .select('probe.id')
    .execute()
  for (const probe of open) {
    const found = await blobs.readMetadata(markOf(probe.id)).then(
      (text) => (text === undefined ? 'missing' : 'visible'),
      (error) => ({ failed: reasonOf(error) }),
    )
    const answer: ProbeAnswer = { blobs: found, clockAheadMs: await readClockAhead(database), notices }
    await database.transaction((write) =>
      write
        .insertInto('probe_answer')
        .values({ probe_id: probe.id, process_id: id, answer: JSON.stringify(answer) })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  }
}

/**
 * Resolves with the milliseconds by which the clock of this process is ahead of the database's, to within the time that
 * a query takes.
 */
export async function readClockAhead({ read, dialect }: Pick<Database, 'read' | 'dialect'>): Promise<number> {
  const before = Date.now()
  const { at } = await read.selectNoFrom(databaseNow(dialect).as('at')).executeTakeFirstOrThrow()
  return Math.round((before + Date.now()) / 2 - at)
}

/**
 * Writes metadata into the blob store and asks these processes for it. Resolves with the answers by process, when all
 * have answered or the time is up.
 */
export async function probeProcesses(
  database: Database,
  blobs: Pick<BlobStore, 'writeMetadata' | 'removeMetadata'>,
  processes: readonly string[],
  timeoutMs: number,
): Promise<Map<string, ProbeAnswer>> {
  const id = randomUUID()
  const deadline = performance.now() + timeoutMs
  await blobs.writeMetadata(markOf(id), id)
  try {
    await database.transaction(async (write) => {
      const now = databaseNow(database.dialect)
      await write
        .deleteFrom('probe')
        .where('asked_at', '<', sql<number>`${now} - ${sql.lit(FORGET_AFTER_MS)}`)
        .execute()
      await write.insertInto('probe').values({ id, asked_at: now }).execute()
    })
    for (;;) {
      const rows = await database.read
        .selectFrom('probe_answer')
        .where('probe_id', '=', id)
        .select(['process_id', 'answer'])
        .execute()
      const answers = new Map(rows.map((row) => [row.process_id, JSON.parse(row.answer) as ProbeAnswer]))
      if (processes.every((process) => answers.has(process)) || performance.now() > deadline) return answers
      await sleep(LOOK_EVERY_MS / 10)
    }
  } finally {
    await blobs.removeMetadata(markOf(id))
    await database.transaction((write) => write.deleteFrom('probe').where('id', '=', id).execute())
  }
}
