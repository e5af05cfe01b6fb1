import {
  EXPORT_FORMATS,
  type Export,
  LINK_LIFETIME_MS,
  MODELER_VERSIONS,
  type ModelerVersion,
  requestExport,
} from '@meadow/contract'
import { type AppResponse, exportFromEditor, exportVersion } from '@meadow/contract/web'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { teamOf } from '../../access/resource-scope.ts'
import { currentContext, runIn } from '../../audit/request-context.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { NO_BODY, type PlainRequest, serve } from '../../http/api/route.ts'
import { type AppRequest, serveApp } from '../../http/app-api/app-route.ts'
import { publicAddress } from '../../http/connection/public-address.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobLink } from '../../platform/blobs/blob-links.ts'
import type { SignedLinks } from '../../platform/blobs/signed-links.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { ExportFile, ExportMaker, RequestedExport } from './export-maker.ts'
import { type ExportTarget, MEDIA_TYPES, toFileName, toTarget } from './export-target.ts'
import type { HandedOutLink, LinkEvents } from './link-events.ts'

export interface ExportRouteParts {
  maker: Pick<ExportMaker, 'find' | 'get'>
  links: Pick<SignedLinks, 'create' | 'now'>
  linkEvents: LinkEvents
}

export const exportRoutes = ({ maker, links, linkEvents }: ExportRouteParts) => {
  async function find({ params, query, principal, clientAddress: address }: LinkRequest) {
    const target = readTarget(query)
    const requested = { resourceScope: principal.resourceScope, documentId: params.documentId, target }
    const made = await maker.find(requested, principal.commitCounter)
    const actor = { kind: 'token', id: principal.tokenId } as const
    return { target, requested, made, origin: { actor, token: principal.tokenId, address } }
  }
  const linkFor = (file: ExportFile, target: ExportTarget, { principal }: LinkRequest) =>
    linkTo(file, target, teamOf(principal.resourceScope))
  const respond = (file: ExportFile, target: ExportTarget, { principal, publicAddress }: LinkRequest) => {
    const owner = { token: principal.tokenId, publicAddress }
    return { export: ofSolution(createExport(file, target, owner, links)) }
  }
  return [
    serve(
      requestExport,
      async (request) => {
        const { quota, id, isHead, signal } = request
        const { target, requested, made, origin: caller } = await find(request)
        if (!made && isHead) return NO_BODY
        const origin = { ...caller, request: id }
        const make = () => runIn(origin, () => maker.get(requested, signal))
        const file = made ?? (await quota.waitFor(make))
        if (!isHead) {
          const recording = linkEvents.record(linkFor(file, target, request), origin)
          if (recording) await quota.waitFor(() => recording)
        }
        return respond(file, target, request)
      },
      {
        isCached: false,
        async atOnce(request) {
          const { target, made, origin } = await find(request)
          if (!made || !linkEvents.isRecorded(linkFor(made, target, request), origin)) return undefined
          return respond(made, target, request)
        },
      },
    ),
  ]
}

type LinkRequest = PlainRequest<typeof requestExport>

/** Gives the editor the same file with the same kind of link, which is bound to the person's membership. */
export const appExportRoutes = ({
  maker,
  links,
  linkEvents,
  baseUrl,
  findVersion,
}: ExportRouteParts & {
  baseUrl: string | undefined
  /** `id` is what the caller sent. */
  findVersion(access: DocumentAccess, id: string, reserve: Reserve): Promise<RequestedExport['version']>
}) => {
  async function respond(
    { access, person, raw, signal, quota }: AppRequest<typeof exportFromEditor>,
    target: ExportTarget,
    version?: RequestedExport['version'],
  ): Promise<VersionExport> {
    const requested = { resourceScope: access.team, documentId: access.documentId, target, version }
    const file = await quota.waitFor(async () => {
      const made = await maker.get(requested, signal)
      await linkEvents.record(linkTo(made, target, access.team), currentContext())
      return made
    })
    const owner = {
      token: person.userId,
      publicAddress: publicAddress(baseUrl, raw, access.teamOfHost !== null),
    }
    return createExport(file, target, owner, links)
  }
  return [
    serveApp(exportFromEditor, async (request) => {
      const target = readTarget(new URLSearchParams({ ...request.body }))
      return { export: ofSolution(await respond(request, target)) }
    }),

    serveApp(exportVersion, async (request) => {
      const { access, params, body, quota } = request
      const target = readTarget(new URLSearchParams({ ...body }))
      const version = await findVersion(access, params.versionId, quota.reserve)
      if (!version) throw new HttpError('version_not_found')
      return { export: await respond(request, target, version) }
    }),
  ]
}

/** Throws the only errors with 400 in the contract (part 7, rule 1), also for repeated parameters (decision 7). */
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

const linkTo = ({ source, digest }: ExportFile, target: ExportTarget, team: TeamKey): HandedOutLink => ({
  team,
  document: { id: source.documentId, name: source.name },
  target,
  digest,
})

interface LinkOwner {
  /** The token, or the person, whose access the link depends on. */
  token: BlobLink['token']
  /** The base of links that Meadow serves itself, without a trailing slash. */
  publicAddress: string
}

/** The export of a document, which always has a solution. */
function ofSolution({ solutionId, ...made }: VersionExport): Export {
  if (solutionId === null) throw new Error('A document without a solution was exported.')
  return { ...made, solutionId }
}

type VersionExport = AppResponse<typeof exportVersion>['export']

/** The response for a file, with a link that is valid for an hour from now on. */
function createExport(
  { digest, bytes, warnings, source }: ExportFile,
  target: ExportTarget,
  { token, publicAddress }: LinkOwner,
  links: Pick<SignedLinks, 'create' | 'now'>,
): VersionExport {
  const { documentId, solution, linkKey } = source
  const fileName = toFileName(source.name, target.format)
  // The time is read as late as possible, because the hour begins with the response.
  const expiresAt = links.now() + LINK_LIFETIME_MS
  const mediaType = MEDIA_TYPES[target.format]
  const path = links.create({ digest, fileName, mediaType, expiresAt, token, document: documentId }, linkKey)
  return {
    url: publicAddress + path,
    expiresAt: toTimestamp(expiresAt),
    ...target,
    fileName,
    size: bytes,
    sha256: digest,
    solutionId: solution?.id ?? null,
    completeness: solution?.completeness ?? null,
    warnings,
  }
}
