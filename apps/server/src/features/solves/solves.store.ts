import { randomUUID } from 'node:crypto'
import type { SolutionId } from '@meadow/contract'
import type { Actor } from '../../access/current-roles.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { askForSolves } from './ask-for-solves.ts'
import { type ClaimTerms, takeClaim } from './claim-solve.ts'
import { endSolve } from './end-solve.ts'
import { createFindTurn } from './find-turn.ts'
import type { Asked, Claim, Outcome, SolvableDocument, SolveRecord } from './solve-record.ts'
import { findSolvable, listSolvable, selectSolves, updateClaimed } from './solve-selections.ts'
import { dropSolves, listSuperseded, type SupersededSolve } from './superseded.ts'

/** Every SQL statement about the queue of solves. Its rules are the JOB rules of SPEC.md. */
export interface SolveStore {
  /** Those of the documents that exist, in the order of `ids`, which callers sent. */
  findDocuments(ids: readonly string[]): Promise<SolvableDocument[]>
  /** A page of a team's documents in the order in which they were made; `after` is the last one of the page before. */
  listDocuments(team: TeamKey, after: DocumentKey | undefined, limit: number): Promise<SolvableDocument[]>
  /**
   * Asks for a solve of each of these documents of a team, in this order; some dozens are fine. Those that are gone
   * are left out. A document that has one waiting keeps it, and it will solve the document as it is then.
   * Throws an `AccessEndedError` when `actor`, for whom it is asked, may not do so any more.
   */
  ask(team: TeamKey, documents: readonly DocumentKey[], actor?: Actor): Promise<Asked>
  /** The solves with these ids, the oldest first; one that was given up is not among them any more. */
  listSolves(ids: readonly SolutionId[]): Promise<SolveRecord[]>
  /** The most recent solve of a document; undefined when it was never asked for. */
  findLatest(document: DocumentKey): Promise<SolveRecord | undefined>
  /**
   * The solve whose turn it is, for the caller alone while its lease lasts; undefined when there is none. One that a
   * solver left behind comes first, then that of the team that was served longest ago.
   */
  claim(terms: ClaimTerms & { exceptTeam?: TeamKey | undefined }): Promise<Claim | undefined>
  /** The digest of the file that a document was imported from; undefined for what was made here. */
  findOriginal(document: DocumentKey): Promise<string | undefined>
  /** Keeps a claim for another `leaseMs`. False when it is lost: somebody else may solve it now. */
  renew(claim: Claim, leaseMs: number): Promise<boolean>
  /** Gives a claim back: whoever asks next takes it over, and this attempt is not counted. */
  giveBack(claim: Claim): Promise<void>
  /** Ends a solve and charges its team, at once or not at all. False when the claim is lost: nothing is charged. */
  end(claim: Claim, outcome: Outcome): Promise<boolean>
  /** Some solves that were superseded before `before` (milliseconds since 1970), with the blobs they hold. */
  listSuperseded(before: number, limit: number): Promise<SupersededSolve[]>
  /** Forgets superseded solves, once their blobs are removed. */
  drop(solves: readonly SupersededSolve[]): Promise<void>
}

/** Of a solve that was given back: a renewal that is still on its way then finds the claim lost. */
const NOBODY = ''

/** Losing more races than this in a row is no reason to keep the database busy. */
const MAX_LOOKS = 50

/** `now` in milliseconds since 1970. Processes that share a database need clocks that agree within a second or two. */
export function createSolveStore(database: Database, now: () => number = Date.now): SolveStore {
  const { read } = database
  const findTurn = createFindTurn(database)
  return {
    async findDocuments(ids) {
      const found = await findSolvable(read, ids)
      return ids.flatMap((id) => found.find((document) => document.id === id) ?? [])
    },
    listDocuments: (team, after, limit) => listSolvable(read, team, after, limit),
    ask: (team, documents, actor) =>
      database.transaction((write) => askForSolves(database.dialect, write, team, documents, now(), actor)),
    listSolves: async (ids) =>
      ids.length === 0
        ? []
        : selectSolves(read).where('solve.public_id', 'in', ids).orderBy('solve.id').execute(),
    findLatest: (document) =>
      selectSolves(read)
        .where('solve.document_id', '=', document)
        .orderBy('solve.id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    async claim({ exceptTeam, ...terms }) {
      // Whoever loses a race looks again: somebody else has got on meanwhile.
      for (let looks = 0; looks < MAX_LOOKS; looks++) {
        const turn = await findTurn(now(), exceptTeam)
        if (!turn) return undefined
        const claimedBy = randomUUID()
        const claim = await database.transaction((write) =>
          takeClaim(write, turn, { ...terms, claimedBy, now: now() }),
        )
        if (claim) return claim
      }
      return undefined
    },
    async findOriginal(document) {
      const row = await read
        .selectFrom('document')
        .where('id', '=', document)
        .select('source_blob')
        .executeTakeFirst()
      return row?.source_blob ?? undefined
    },
    renew: (claim, leaseMs) =>
      database.transaction(async (write) => {
        const renewed = await updateClaimed(write, claim)
          .set({ lease_until: now() + leaseMs })
          .executeTakeFirst()
        return renewed.numUpdatedRows > 0n
      }),
    giveBack: (claim) =>
      database.transaction(async (write) => {
        await updateClaimed(write, claim)
          .set(({ eb }) => ({ claimed_by: NOBODY, lease_until: 0, attempts: eb('attempts', '-', 1) }))
          .execute()
      }),
    end: (claim, outcome) => endSolve(database, claim, outcome, now()),
    listSuperseded: (before, limit) => listSuperseded(read, before, limit),
    drop: (solves) => database.transaction((write) => dropSolves(write, solves)),
  }
}
