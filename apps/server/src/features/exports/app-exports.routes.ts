import { exportFromEditor } from '@meadow/contract/web'
import { serveApp } from '../../http/app-api/app-route.ts'
import { publicAddress } from '../../http/connection/public-address.ts'
import { readTarget } from './export-target.ts'
import type { ExportRouteParts } from './exports.routes.ts'
import { giveExport } from './give-export.ts'

/** The same file and the same kind of link as the API's; it hangs on the person's membership. */
export const appExportRoutes = ({
  getSolution,
  maker,
  links,
  baseUrl,
}: ExportRouteParts & { baseUrl: string | undefined }) => [
  serveApp(exportFromEditor, async ({ access, body, person, raw, signal, share }) => {
    const target = readTarget(new URLSearchParams({ ...body }))
    const solution = await getSolution(access.team, access.documentId)
    const wanted = { team: access.team, solution, target }
    const file = await share.waitFor(() => maker.get(wanted, signal))
    const holder = { token: person.userId, publicAddress: publicAddress(baseUrl, raw) }
    return { export: await giveExport(wanted, file, holder, links) }
  }),
]
