import { EXPORT_FORMATS, MODELER_VERSIONS, requestExport } from '@meadow/contract'
import { refuse } from '../../http/refusal.ts'
import { serve } from '../../http/serve.ts'
import type { TeamKey } from '../../platform/database/tables.ts'

/** `getSolution`: the solution that an export of a document is of; refuses when there is none (decision 27). */
export const exportRoutes = (getSolution: (team: TeamKey, id: string) => Promise<unknown>) => [
  serve(
    requestExport,
    async ({ params, query, reader }) => {
      checkParameters(query)
      await getSolution(reader.team, params.documentId)
      throw refuse('exports_not_made')
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
