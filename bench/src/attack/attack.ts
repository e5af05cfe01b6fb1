import type { AttackedTeams } from './teams.ts'

/** Something that one team, or nobody's client, does to a server while another team works there. */
export interface Attack {
  /** What `--only` takes; also the file that holds it. */
  family: AttackFamily
  /** Unique. What `--only` takes too. */
  name: string
  /** How the server runs: limits of the system and variables of the server. */
  server?: { maxOpenFiles?: number; env?: Record<string, string> }
  /** `postgres`: nothing but PostgreSQL will do. */
  store?: 'postgres'
  /** How long one job of the attacker may hold a solver or a reader, in milliseconds, while the other team's waits. */
  longestJobMs?: number
  /** The database itself is away so long, in milliseconds. Until then, and 5 s longer, 503 with `Retry-After` is right. */
  outageMs?: number
  /** Whether the attacking team works beside, as the other one does. */
  bothWork?: true
  /** Runs in the attacker's process and resolves when it is over, all sockets closed. */
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
  'database',
] as const
export type AttackFamily = (typeof ATTACK_FAMILIES)[number]

export interface AttackTarget {
  host: string
  port: number
  databaseUrl: string | undefined
  teams: AttackedTeams
}

/** How hard to try. Every attack is bounded by both. */
export interface Strength {
  /** Of the full numbers of requests, sockets, documents and kills: above 0, up to 1. */
  share: number
  durationMs: number
}

/** So many of a full number, one at least. */
export const scaled = (full: number, { share }: Strength): number => Math.max(1, Math.round(full * share))

/** What came of an attack. Refusals and closed connections are fine: the attacker is owed nothing. */
export class Tally {
  sent = 0
  /** How often each status, close code or failure to connect came back. */
  readonly answers: Record<string, number> = {}
  /** What must not happen even to an attacker, such as an answer to what was no request. */
  readonly faults: string[] = []

  count(answer: number | string, times = 1): void {
    this.answers[answer] = (this.answers[answer] ?? 0) + times
  }

  get answered(): number {
    return Object.values(this.answers).reduce((sum, times) => sum + times, 0)
  }
}
