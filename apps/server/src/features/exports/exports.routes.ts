import { requestExport } from '@meadow/contract'
import { NO_BODY, serve } from '../../http/api/route.ts'
import type { BlobLinks } from '../../platform/blobs/blob-links.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import type { ExportMaker } from './export-maker.ts'
import { readTarget } from './export-target.ts'
import type { Exportable } from './exportable.ts'
import { giveExport } from './give-export.ts'

export interface ExportRouteParts {
  /** The solution that an export of a document is of; refuses when there is none (decision 27). */
  getSolution(team: TeamKey, id: string): Promise<Exportable>
  maker: Pick<ExportMaker, 'find' | 'get'>
  links: BlobLinks
}

export const exportRoutes = ({ getSolution, maker, links }: ExportRouteParts) => [
  serve(
    requestExport,
    async (request) => {
      const { params, query, principal, share } = request
      const target = readTarget(query)
      const solution = await getSolution(principal.team, params.documentId)
      const wanted = { team: principal.team, solution, target }
      const file = await (request.isHead
        ? maker.find(wanted)
        : share.waitFor(() => maker.get(wanted, request.signal)))
      if (!file) return NO_BODY
      const holder = { token: principal.tokenId, publicAddress: request.publicAddress }
      return { export: await giveExport(wanted, file, holder, links) }
    },
    { isCached: false },
  ),
]
