import { readSolution, SOLUTION_FORMATS, type SolutionFormat } from '@meadow/contract'
import { refuse } from '../../http/refusal.ts'
import { serve } from '../../http/serve.ts'
import type { SolutionStore } from './solutions.store.ts'

export const solutionRoutes = (solutions: SolutionStore) => [
  serve(
    readSolution,
    async ({ params, query, reader }) => {
      readFormat(query)
      const state = await solutions.findState(reader.team, params.documentId)
      if (!state) throw refuse('document_not_found')
      throw refuse('never_solved')
    },
    { kept: false },
  ),
]

/** A repeated format is a value that is not accepted (decision 7). */
function readFormat(query: URLSearchParams): SolutionFormat {
  const given = query.getAll('format')
  if (given.length === 0) return 'json'
  const format = SOLUTION_FORMATS.find((accepted) => given.length === 1 && accepted === given[0])
  if (!format) throw refuse('solution_format_not_accepted')
  return format
}
