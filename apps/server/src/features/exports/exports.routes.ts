import {
  EXPORT_FORMATS,
  type Export,
  LINK_LIFETIME_MS,
  MODELER_VERSIONS,
  type ModelerVersion,
  requestExport,
} from '@meadow/contract'
import { exportFromEditor } from '@meadow/contract/web'
import { NO_BODY, serve } from '../../http/api/route.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { publicAddress } from '../../http/connection/public-address.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobLink, BlobLinks } from '../../platform/blobs/blob-links.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { Exportable, ExportFile, ExportMaker, RequestedExport } from './export-maker.ts'
import { type ExportTarget, MEDIA_TYPES, toFileName, toTarget } from './export-target.ts'

export interface ExportRouteParts {
  /** The solution to export of a document; throws an `HttpError` when there is none (decision 27). */
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
      const requested = { team: principal.team, solution, target }
      const file = await (request.isHead
        ? maker.find(requested)
        : share.waitFor(() => maker.get(requested, request.signal)))
      if (!file) return NO_BODY
      const owner = { token: principal.tokenId, publicAddress: request.publicAddress }
      return { export: await createExport(requested, file, owner, links) }
    },
    { isCached: false },
  ),
]

/** For the editor: the same file with the same kind of link, which is bound to the person's membership. */
export const appExportRoutes = ({
  getSolution,
  maker,
  links,
  baseUrl,
}: ExportRouteParts & { baseUrl: string | undefined }) => [
  serveApp(exportFromEditor, async ({ access, body, person, raw, signal, share }) => {
    const target = readTarget(new URLSearchParams({ ...body }))
    const solution = await getSolution(access.team, access.documentId)
    const requested = { team: access.team, solution, target }
    const file = await share.waitFor(() => maker.get(requested, signal))
    const owner = { token: person.userId, publicAddress: publicAddress(baseUrl, raw) }
    return { export: await createExport(requested, file, owner, links) }
  }),
]

/** The only causes of 400 in the contract (part 7, rule 1). A repeated parameter is not accepted (decision 7). */
function readTarget(query: URLSearchParams): ExportTarget {
  const formats = query.getAll('format')
  const versions = query.getAll('modelerVersion')
  const format = EXPORT_FORMATS.find((accepted) => formats.length === 1 && accepted === formats[0])
  if (!format) throw new HttpError('export_format_not_accepted')
  if (format === '.gh' && versions.length > 0) throw new HttpError('modeler_version_not_applicable')
  if (versions.length === 0) return toTarget(format)
  const version = MODELER_VERSIONS.find((accepted) => versions.length === 1 && accepted === versions[0])
  if (!version) throw new HttpError('modeler_version_not_accepted')
  return toTarget(format, Number(version) as ModelerVersion)
}

interface LinkOwner {
  /** The token, or the person, whose access the link depends on. */
  token: BlobLink['token']
  /** The base of links that Meadow serves itself, without a trailing slash. */
  publicAddress: string
}

/** The response for a file, with a link that is valid for an hour from now on. */
async function createExport(
  { solution, target }: RequestedExport,
  { digest, bytes, warnings, documentName }: ExportFile,
  { token, publicAddress }: LinkOwner,
  links: BlobLinks,
): Promise<Export> {
  const fileName = toFileName(documentName, target.format)
  // As late as possible, because the hour begins with the response.
  const expiresAt = Date.now() + LINK_LIFETIME_MS
  const link = await links.create({
    digest,
    fileName,
    mediaType: MEDIA_TYPES[target.format],
    expiresAt,
    token,
    document: solution.documentId,
  })
  return {
    url: link.startsWith('/') ? publicAddress + link : link,
    expiresAt: toTimestamp(expiresAt),
    ...target,
    fileName,
    size: bytes,
    sha256: digest,
    solutionId: solution.id,
    completeness: solution.completeness,
    warnings,
  }
}
