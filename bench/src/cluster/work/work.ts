import type { Random } from '@meadow/server/src/testing/random.ts'
import type { WorkingTeam } from '../parts/build-team.ts'
import type { NamedServer } from '../parts/cluster.ts'
import type { Ledger } from './ledger.ts'

/** The context of everything that works on the cluster. */
export interface Work {
  team: WorkingTeam
  /** The servers, for requests without the load balancer. */
  servers: readonly NamedServer[]
  /** The load balancer in front of them. */
  balancer: NamedServer
  ledger: Ledger
  random: Random
  /** Reads from the database itself, whatever is at fault. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Aborts when the work has to end. */
  signal: AbortSignal
}
