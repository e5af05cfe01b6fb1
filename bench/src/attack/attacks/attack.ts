import type { AttackedTeams } from '../teams/teams.ts'

/** An attack by one team, or by a client without an account, on a server where another team works. */
export interface Attack {
  /** The family of the attack, which is selected with `--only`. */
  family: AttackFamily
  /** The unique name of the attack, by which it can also be selected with `--only`. */
  name: string
  /** Limits and variables of the server process. */
  server?: { maxOpenFiles?: number; env?: Record<string, string> }
  /** The attack needs PostgreSQL when this is `postgres`. */
  store?: 'postgres'
  /** The length of a document of the attacker whose versions are kept and restored, in bytes. */
  versionedBytes?: number
  /** How long one job of the attacker may occupy a solver or a reader, in milliseconds, while the other team's waits. */
  longestJobMs?: number
  /** How long the database is unavailable, in milliseconds. For 5 s longer, 503 with `Retry-After` is accepted. */
  outageMs?: number
  /** Whether the attacking team also works, like the other one. */
  bothWork?: true
  /** Runs in the attacker's process; resolves when the attack is over and all sockets are closed. */
  run(target: AttackTarget, strength: Strength): Promise<Tally>
}

export const ATTACK_FAMILIES = [
  'pipelining',
  'anonymous',
  'slow readers',
  'slow senders',
  'waits',
  'live',
  'documents',
  'history',
  'database',
] as const
export type AttackFamily = (typeof ATTACK_FAMILIES)[number]

export interface AttackTarget {
  host: string
  port: number
  databaseUrl: string | undefined
  teams: AttackedTeams
}

/** The strength of an attack. Both values limit it. */
export interface Strength {
  /** The share of the full numbers of requests, sockets, documents and kills: above 0, up to 1. */
  share: number
  durationMs: number
}

/** Returns a share of a full number, at least one. */
export const scaled = (full: number, { share }: Strength): number => Math.max(1, Math.round(full * share))

/** The results of an attack. Errors and closed connections are acceptable. */
export class Tally {
  sent = 0
  /** The number of each status, close code and failure to connect. */
  readonly answers: Record<string, number> = {}
  /** Events that must not happen even under attack, such as a response to bytes that are not a request. */
  readonly faults: string[] = []

  count(answer: number | string, times = 1): void {
    this.answers[answer] = (this.answers[answer] ?? 0) + times
  }

  get answered(): number {
    return Object.values(this.answers).reduce((sum, times) => sum + times, 0)
  }
}
