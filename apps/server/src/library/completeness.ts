import type { Completeness } from '@meadow/contract'
import type { ListSummary, SolveState } from '@meadow/contract/web'
import { type RawBuilder, sql } from 'kysely'
import { thumbnailColumn, toThumbnailSummary } from './thumbnail-summary.ts'

/** What the column `completeness` of a solve holds, as JSON. */
export interface SolveCompleteness extends Completeness {
  /** Why the solution is not complete, and for how many nodes; the most frequent first. */
  causes: { cause: string; nodes: number }[]
}

/** How much of a document a solution covers: everything, all values (decision 47), or a part. */
export type SolveGrade = 'complete' | 'valuesComplete' | 'partial'

export const gradeOf = ({ isComplete, valuesComplete }: Completeness): SolveGrade =>
  isComplete ? 'complete' : valuesComplete ? 'valuesComplete' : 'partial'

/** Reads the counts in the column `completeness`. */
export function readCompleteness(column: string | null): Completeness | null {
  if (column === null) return null
  const { causes: _, ...completeness }: SolveCompleteness = JSON.parse(column)
  return completeness
}

const solve: RawBuilder<SolveState> = sql`coalesce(
  (select state from solve where document_id = document.id order by id desc limit 1), 'never')`
const completeness: RawBuilder<string | null> = sql`(
  select completeness from solve where document_id = document.id order by id desc limit 1)`

/** The most recent solve of a document and its picture, as columns of a query of `document`. */
export const solveColumns = [
  solve.as('solve'),
  completeness.as('completeness'),
  thumbnailColumn.as('thumbnail'),
] as const

/** The values of {@link solveColumns} as they are read. */
interface SolveRow {
  solve: SolveState
  completeness: string | null
  thumbnail: string | null
}

export const toSolveSummary = ({ solve, completeness, thumbnail }: SolveRow): ListSummary => ({
  solve,
  completeness: readCompleteness(completeness),
  thumbnail: toThumbnailSummary(thumbnail),
})
