import type { DocumentId, FolderId } from '@meadow/contract'
import type { CaseRequests } from '../harness/rounds.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'
import type { Facts } from './facts.ts'

/** A server that is measured: Meadow, on SQLite or PostgreSQL, or a peer. */
export interface Contender {
  readonly name: string
  /** The team. Teams of one size are the same in every store, except for their ids. */
  readonly team: SyntheticTeam
  /** Returns the requests of a case to this server, or why it cannot answer them. */
  requestsFor(measured: Case): CaseRequests | LeftOut
  /** Reads the facts of a response. Throws an error when the body has another shape than expected. */
  readFacts(read: Read, body: string): Facts
  /**
   * The reference of a peer: Meadow on the same data. A peer is only measured in cases in which it returns the same
   * facts.
   */
  readonly reference?: Contender
}

/** Why a server is not measured in a case. */
export interface LeftOut {
  reason: string
}

/** Reads that are measured together. */
export interface Case {
  name: string
  reads: readonly Read[]
  /**
   * `repeated`: the same response again and again, which the response cache serves.
   * `first`: without a response cache, so each response is built from the store.
   * `unchanged`: a conditional request, answered with 304.
   */
  manner: 'repeated' | 'first' | 'unchanged'
  /**
   * Whether the case is measured at every size. Otherwise it is only measured at the largest team, since the size makes
   * no difference.
   */
  atEverySize?: true
  /** The target ratio to the speed of the bare server. */
  aim?: number
}

/** A read, in terms that every contender can map to its own API. */
export type Read =
  | { kind: 'team' }
  | { kind: 'folder'; folder: FolderId }
  | { kind: 'document'; document: DocumentId }
  | { kind: 'search'; q: string; folder?: FolderId }

/** Returns the requests of reads that the server is known to have. Throws an error for others. */
export function requestsOf(contender: Contender, measured: Case): CaseRequests {
  const target = contender.requestsFor(measured)
  if ('reason' in target) throw new Error(`${contender.name} is asked for what it ${target.reason}.`)
  return target
}
