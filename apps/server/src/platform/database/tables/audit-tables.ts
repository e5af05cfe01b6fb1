import type { AuditAction, AuditActorKind } from '@meadow/contract/terms'
import type { Milliseconds, TokenKey } from './column-types.ts'

export interface AuditTables {
  audit_chain: AuditChainTable
  audit_event: AuditEventTable
  token_reads: TokenReadsTable
}

/** The end of a chain of events. Triggers keep it from going back. */
export interface AuditChainTable {
  /** The public id of a team, or `service` for what belongs to no team. */
  id: string
  /** The number and the hash of the last event in the chain. */
  seq: number
  hash: string
  /** When the events of the chain were removed with their team; null while they are there. */
  purged_at: Milliseconds | null
}

/** An event. Triggers refuse changes, and deletions unless the chain is purged. */
export interface AuditEventTable {
  chain: string
  /** The number of the event in the chain, from 1 without gaps. */
  seq: number
  at: Milliseconds
  action: AuditAction
  actor_kind: AuditActorKind
  /** The id of the user or token that acted. */
  actor_id: string | null
  /** The name of the actor at that time, which is the e-mail address of a user. */
  actor_name: string | null
  /** The network address of the client. */
  address: string | null
  /** The id of the session. */
  session: string | null
  /** The public id of the token. */
  token: string | null
  /** The id of the request, which is in the log of requests, too. */
  request: string | null
  thing_kind: string | null
  thing_id: string | null
  /** The name of the thing at that time. */
  thing_name: string | null
  /** Further facts, as a JSON object. */
  details: string | null
  /** SHA-256 over the previous hash and all other columns, in hexadecimal digits. */
  hash: string
}

/** How often a token read through an endpoint in a day. */
export interface TokenReadsTable {
  token_id: TokenKey
  /** The day in UTC, such as `2026-11-23`. */
  day: string
  /** The path of the endpoint, as the contract declares it. */
  endpoint: string
  reads: number
}
