import { listVersionsByToken, readVersionByToken, VersionForToken } from '@meadow/contract/web'
import { prepareInScope, type ResourceScope, teamOf } from '../../access/resource-scope.ts'
import { readVersionSource, readVersionText } from '../../content/history/versions.store.ts'
import { readStoredJson } from '../../content/stored-json.ts'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { writeVersionFile } from './version-file.ts'
import type { VersionedDocument, VersionStore } from './versions.store.ts'

/** The reads of versions under /api/v1. They keep no version that is due: a read with a token writes nothing. */
export const versionsByTokenRoutes = (
  database: Pick<Database, 'read' | 'prepare'>,
  blobs: BlobStore,
  store: Pick<VersionStore, 'list' | 'find'>,
) => {
  const { read } = database
  const findDocument = prepareInScope(
    database,
    (read, { team, id }: { team: TeamKey; id: string }, isInScope) =>
      read
        .selectFrom('document')
        .where('public_id', '=', id as never)
        .where('team_id', '=', team)
        .where('bin_id', 'is', null)
        .where(isInScope('document.folder_id'))
        .select('id as document'),
  )

  /** What is read of a document that is in scope before and after: it may be moved out of it meanwhile. */
  async function readInScope<T>(
    resourceScope: ResourceScope,
    id: string,
    work: (document: VersionedDocument) => Promise<T>,
  ): Promise<T> {
    const find = async () => {
      const found = isPublicId('doc', id) ? await findDocument.first(resourceScope, { id }) : undefined
      if (!found) throw new HttpError('document_not_found')
      return { ...found, team: teamOf(resourceScope) }
    }
    const result = await work(await find())
    await find()
    return result
  }

  return [
    serve(
      listVersionsByToken,
      ({ params: { documentId }, principal: { resourceScope }, query }) =>
        readInScope(resourceScope, documentId, async (document) => {
          const page = await store.list(document, { after: query.get('after') ?? undefined })
          return { ...page, versions: page.versions.map(forToken) }
        }),
      { isCached: false },
    ),

    serve(
      readVersionByToken,
      ({ params: { documentId, versionId }, principal: { resourceScope }, quota }) =>
        readInScope(resourceScope, documentId, async (document) => {
          const version = await store.find(document, versionId)
          const bytes = version && (await readVersionText(read, blobs, version.key))
          if (!version || !bytes) throw new HttpError('version_not_found')
          const graph = await readStoredJson(blobs, { bytes }, quota.reserve)
          const file = await writeVersionFile(
            await readVersionSource(read, version.key),
            blobs,
            quota.reserve,
          )
          // Two JSON objects, written as one.
          return Buffer.concat([
            Buffer.from(`{"version":${JSON.stringify(forToken(version))},"document":`),
            file.subarray(0, -1),
            Buffer.from(','),
            graph.subarray(1),
            Buffer.from('}'),
          ])
        }),
      { isCached: false },
    ),
  ]
}

const MEMBERS = Object.keys(VersionForToken.properties) as (keyof VersionForToken)[]

const forToken = (version: VersionForToken): VersionForToken =>
  Object.fromEntries(MEMBERS.map((name) => [name, version[name]])) as VersionForToken
