/**
 * What happens at a call. `error`: it does nothing, and fails. `lost`: it does what it should, and fails. `torn`: half of
 * the bytes are written, and it fails. `timeout`: there is no answer. `kill` and `killed after`: the process ends before
 * or after it; `torn and killed`: with half of the bytes written. Of a child process, the child is what ends with `error`
 * and `lost`.
 */
export type FaultKind = 'error' | 'lost' | 'torn' | 'timeout' | 'kill' | 'killed after' | 'torn and killed'

/** A call of a seam. */
export interface SeamCall {
  /** What is called, such as `sql commit` or `fs rename /blobs/unfinished/#`. */
  label: string
  /** How many calls with this label there were, with this one. */
  occurrence: number
  kinds: readonly FaultKind[]
}

/** A call that is to fail, and how. */
export interface Fault {
  label: string
  occurrence: number
  kind: FaultKind
}

/** A fault of an operation, with its number from 1. */
export interface Point extends Fault {
  number: number
}

/** Lists every fault that the calls of an operation can have, in the order of the calls. */
export const listPoints = (calls: readonly SeamCall[]): Point[] =>
  calls
    .flatMap(({ label, occurrence, kinds }) => kinds.map((kind) => ({ label, occurrence, kind })))
    .map((fault, index) => ({ number: index + 1, ...fault }))

export const describePoint = ({ number, label, occurrence, kind }: Point): string =>
  `point ${number}: ${kind} at call ${occurrence} of "${label}"`
