import {
  binFile,
  changeFile,
  downloadFile,
  FILE_KINDS,
  type FileKind,
  isLibraryKind,
  type LibraryKind,
  listLibraryItems,
  listPlaceableItems,
  placeLibraryItem,
  readFile,
  readFileContents,
  readFileThumbnail,
  readPlacedClusters,
} from '@meadow/contract/web'
import { changeTeamFor } from '../../access/current-roles.ts'
import type { FileAccess, ResourceAccess } from '../../access/resource-access.store.ts'
import { StoredFile, serveApp } from '../../http/app-api/app-route.ts'
import { findTargetFolder } from '../../http/app-api/authorize.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { putFileIntoBin } from '../../library/bin.ts'
import { moveFile, renameFile } from '../../library/team-files.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TeamFileKey, TeamKey } from '../../platform/database/tables.ts'
import type { FileStore } from './files.store.ts'
import { describePlaceable, type PlacingParts, storePlacedNode } from './placing.ts'

export interface FileParts {
  store: FileStore
  resourceAccess: ResourceAccess
  database: Database
  /**
   * The JSON of what a library item in the blob store places; undefined when it cannot be read, or takes too much time or
   * memory.
   */
  readContents(digest: string, kind: LibraryKind, team: TeamKey): Promise<Uint8Array | undefined>
  placing: PlacingParts
}

const MEDIA_TYPES: Readonly<Record<FileKind, string>> = {
  model: 'model/vnd.3dm',
  user_object: 'application/octet-stream',
  cluster: 'application/octet-stream',
  text: 'text/plain',
  csv: 'text/csv',
}

export const fileRoutes = ({ store, resourceAccess, database, readContents, placing }: FileParts) => {
  const respond = async (access: FileAccess) => {
    const file = await store.read(access)
    if (!file) throw new HttpError('file_not_found')
    return { file }
  }
  const getBlobs = async (file: TeamFileKey) => {
    const found = await store.findBlobs(file)
    if (!found) throw new HttpError('file_not_found')
    return found
  }
  return [
    serveApp(readFile, ({ access }) => respond(access)),

    serveApp(downloadFile, async ({ access }) => {
      const { kind, name, blob } = await getBlobs(access.file)
      await store.recordDownload(access)
      return new StoredFile({ digest: blob, fileName: name, mediaType: MEDIA_TYPES[kind] })
    }),

    serveApp(readFileContents, async ({ access, quota }) => {
      const { kind, blob } = await getBlobs(access.file)
      if (!isLibraryKind(kind)) throw new HttpError('file_not_readable')
      const contents = await quota.waitFor(() => readContents(blob, kind, access.team))
      if (!contents) throw new HttpError('file_not_readable')
      await quota.reserve(contents.length)
      return contents
    }),

    serveApp(listLibraryItems, ({ access }) => store.listLibraryItems(access.team)),

    serveApp(listPlaceableItems, async ({ access, query: { q = '' } }) => {
      const { items, truncated } = await store.listPlaceable(access.team, q)
      return { items: await describePlaceable(items), truncated }
    }),

    serveApp(placeLibraryItem, async ({ access, body, person, host, actor, quota }) => {
      const item = await resourceAccess.findFile({ user: person.userId, host }, body.fileId)
      // The answer is that of a missing file, because no document refers to what another team has.
      if (!item || item.role === null || item.team !== access.team) throw new HttpError('file_not_found')
      const { kind, blob } = await getBlobs(item.file)
      if (!isLibraryKind(kind)) throw new HttpError('file_not_readable')
      const node = await quota.waitFor(() => placing.readNode(blob, kind, access.team))
      if (!node) throw new HttpError('file_not_readable')
      return { node: await storePlacedNode(placing, actor, access, node) }
    }),

    serveApp(readPlacedClusters, async ({ access, quota }) => {
      const content = await placing.findContent(access.document, quota.reserve)
      if (!content) throw new HttpError('document_not_found')
      const clusters = await quota.waitFor(() => placing.readClusters(content, access.team))
      if (!clusters) return { clusters: {} }
      await quota.reserve(clusters.length)
      return clusters
    }),

    serveApp(readFileThumbnail, async ({ access }) => {
      const { name, thumbnail } = await getBlobs(access.file)
      if (thumbnail === null) throw new HttpError('file_not_found')
      return new StoredFile({ digest: thumbnail, fileName: `${name}.png`, mediaType: 'image/png' })
    }),

    serveApp(changeFile, async ({ access, body, person, host, actor }) => {
      const { kind, folder } = await getBlobs(access.file)
      const name = body.name === undefined ? undefined : readNameInput(withExtension(body.name, kind))
      const target =
        body.folderId === undefined
          ? undefined
          : await findTargetFolder(resourceAccess, { user: person.userId, host }, access.team, body.folderId)
      await changeTeamFor(database, actor, async (change) => {
        if (name !== undefined) await renameFile(change, access.file, name)
        if (target !== undefined && target !== folder) await moveFile(change, access.file, target)
      }).catch(rethrowFilingError('file_not_found'))
      return respond(access)
    }),

    serveApp(binFile, async ({ access, person, actor }) => {
      await changeTeamFor(database, actor, (change) =>
        putFileIntoBin(change, access.file, person.userId),
      ).catch(rethrowFilingError('file_not_found'))
    }),
  ]
}

/** The extension says what opens the file, so that it stays. */
function withExtension(name: string, kind: FileKind): string {
  const extension = FILE_KINDS[kind]
  return name.trim() === '' || name.toLowerCase().endsWith(extension) ? name : `${name}${extension}`
}
