import type { GraphContent } from '@meadow/contract'
import { createDocument } from '../../../library/documents.ts'
import { findFolder } from '../../../library/folders.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { SolveKey } from '../../../platform/database/tables.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import { createTeam } from '../../../team/teams.ts'
import type { ModelFile, Outcome } from '../solves.store.ts'

/** The lease outlasts any test: tests of its expiry set the clock, or the column. */
export const TERMS = { leaseMs: 600_000, maxTenths: 30 }

/** A team with credits and documents with these contents. */
export async function givenDocuments(
  database: Database,
  /** Whole ones. */
  credits: number,
  contents: readonly Partial<GraphContent>[],
) {
  const team = await createTeam(database, { name: 'Acme', credits, publicDocuments: true })
  const root = (await findFolder(database.read, team.key, 'root'))!
  const documents = await changeTeam(database, team.key, async (change) => {
    const made = []
    for (const [i, content] of contents.entries()) {
      const bytes = Buffer.from(JSON.stringify(content))
      const properties = { name: `Document ${i}`, createdAt: 0, updatedAt: 0 }
      made.push(
        await createDocument(change, { ...properties, folder: root.key, content: { kind: 'inline', bytes } }),
      )
    }
    return made
  })
  return { database, team, documents }
}

export async function readTeam(database: Database, key: number) {
  return database.read
    .selectFrom('team')
    .where('id', '=', key as never)
    .select(['credit_tenths as tenths', 'version'])
    .executeTakeFirstOrThrow()
}

/** The rows of all solves in the order of their requests. */
export const readSolves = (database: Database) =>
  database.read.selectFrom('solve').orderBy('id').selectAll().execute()

export const removeSolves = (database: Database, keys?: readonly SolveKey[]) =>
  database.transaction(async (write) => {
    await write
      .deleteFrom('solve')
      .$if(keys !== undefined, (query) => query.where('id', 'in', keys!))
      .execute()
  })

/** A success whose values do not matter. */
export const solvedIn = (durationMs: number, digest = 'a'.repeat(64), model?: ModelFile): Outcome => ({
  state: 'solved',
  seq: 1,
  endedAt: 1,
  durationMs,
  chargedMs: durationMs,
  files: { valuesGzip: digest, valuesZstd: digest, valuesBytes: 2, model },
})

export const failedIn = (durationMs: number, reason = 'For a test.'): Outcome => ({
  state: 'failed',
  durationMs,
  chargedMs: durationMs,
  reason,
})
