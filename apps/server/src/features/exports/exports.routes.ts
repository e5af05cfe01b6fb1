import { EXPORT_FORMATS, MODELER_VERSIONS, requestExport } from '@meadow/contract'
import { refuse } from '../../http/refusal.ts'
import { serve } from '../../http/serve.ts'
import type { TeamKey } from '../../platform/database/tables.ts'

/** `findSolveState`: how the most recent solve of a document stands; undefined when there is no such document. */
export const exportRoutes = (findSolveState: (team: TeamKey, id: string) => Promise<string | undefined>) => [
  serve(
    requestExport,
    async ({ params, query, reader }) => {
      checkParameters(query)
      const state = await findSolveState(reader.team, params.documentId)
      if (!state) throw refuse('document_not_found')
      throw refuse('never_solved')
    },
    { kept: false },
  ),
]

/** The only 400 causes of the contract (part 7, rule 1); a repeated parameter is a value not accepted (decision 7). */
function checkParameters(query: URLSearchParams): void {
  const formats = query.getAll('format')
  const versions = query.getAll('modelerVersion')
  const format = EXPORT_FORMATS.find((accepted) => formats.length === 1 && accepted === formats[0])
  if (!format) throw refuse('export_format_not_accepted')
  if (versions.length === 0) return
  if (format === '.gh') throw refuse('modeler_version_not_applicable')
  const accepted = versions.length === 1 && MODELER_VERSIONS.some((version) => version === versions[0])
  if (!accepted) throw refuse('modeler_version_not_accepted')
}
