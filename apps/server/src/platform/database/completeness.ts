import type { Completeness } from '@meadow/contract'

/** What the column `completeness` of a solve holds, as JSON. */
export interface SolveCompleteness extends Completeness {
  /** Why the solution is not complete, and for how many nodes; the most frequent first. */
  causes: { cause: string; nodes: number }[]
}

/** The counts in the column. */
export function readCompleteness(column: string | null): Completeness | null {
  if (column === null) return null
  const { causes: _, ...completeness }: SolveCompleteness = JSON.parse(column)
  return completeness
}
