import type { DocumentId, FolderId } from '@meadow/contract'
import type { HttpRequest } from '../load/request.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'

/** A server that is measured: Meadow, on SQLite or PostgreSQL, or a peer. */
export interface Contender {
  readonly name: string
  /** Teams of one size are the same in every store, except for their ids. */
  readonly team: SyntheticTeam
  /** The requests of a case to this server; undefined when it has no such read. */
  requestsFor(measured: Case): CaseRequests | undefined
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
  /** Omitted: measured only at the largest team, because the size makes no difference. */
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

/** The requests of a case, and the server they go to. */
export interface CaseRequests {
  host: string
  port: number
  /** Omitted when the work is spread over several processes. */
  pid?: number
  requests: HttpRequest[]
}
