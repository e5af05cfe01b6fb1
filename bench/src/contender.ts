import type { Case } from './cases.ts'
import type { HttpRequest } from './load/request.ts'
import type { SyntheticTeam } from './team/synthetic-team.ts'

/** Where a case is asked, and how. */
export interface Question {
  host: string
  port: number
  /** Left out where the work is spread over several processes. */
  pid?: number
  requests: HttpRequest[]
}

/** Something that answers reads: Meadow, on one store or another, or a peer. */
export interface Contender {
  readonly name: string
  /** Teams of one size are the same in every store, but for their ids. */
  readonly team: SyntheticTeam
  /** Undefined where it has nothing of the kind. */
  ask(asked: Case): Question | undefined
}
