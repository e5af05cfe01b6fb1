import {
  type AppDocument,
  changeVersion,
  copyVersion,
  createVersion,
  deleteVersion,
  type EditorSolution,
  listVersions,
  MAX_VERSION_NAME,
  readVersion,
  readVersionFile,
  readVersionGraph,
  readVersionSolution,
  readVersionStored,
  restoreVersion as restoreVersionEndpoint,
} from '@meadow/contract/web'
import type { StoredFacts } from '@meadow/document'
import { type Actor, changeTeamFor } from '../../access/current-roles.ts'
import type { DocumentAccess, ResourceAccess } from '../../access/resource-access.store.ts'
import type { StoredJson } from '../../content/content.store.ts'
import type { HistoryWork } from '../../content/history/history-work.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { nameVersion, pinVersion, removeVersion } from '../../content/history/version-changes.ts'
import {
  findStoredVersion,
  readVersionSource,
  readVersionText,
} from '../../content/history/versions.store.ts'
import { ReplaceError } from '../../content/replace-content.ts'
import { type Reserve, readStoredJson } from '../../content/stored-json.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { findTargetFolder } from '../../http/app-api/authorize.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { createDocument } from '../../library/documents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { findHidden, MAX_NAME_LENGTH } from '../../platform/database/names.ts'
import type { DocumentKey, FolderKey } from '../../platform/database/tables.ts'
import { restoreVersion } from './restore-version.ts'
import { toCopiedSource, writeVersionFile } from './version-file.ts'
import type { FoundVersion, VersionStore } from './versions.store.ts'

export interface VersionRouteParts {
  blobs: BlobStore
  history: HistoryWork
  store: VersionStore
  resourceAccess: ResourceAccess
  database: Database
  /** The name and folder of a document; undefined when it was deleted. */
  findOriginal(document: DocumentKey): Promise<{ name: string; folder: FolderKey } | undefined>
  /** Resolves with undefined when the document was deleted. */
  readDocument(access: DocumentAccess): Promise<AppDocument | undefined>
  /** Resolves with undefined when the document has no such solution. */
  readSolution(access: DocumentAccess, id: string): Promise<EditorSolution | undefined>
  /** Requests the solve that follows from a restored version. */
  requestSolve(actor: Actor, document: DocumentKey): Promise<unknown>
  /** Digests of what a file stores, as far as it goes for a content; null when it cannot be read. */
  readStored(access: DocumentAccess, file: string, content: StoredJson): Promise<StoredFacts | null>
}

export const versionRoutes = (parts: VersionRouteParts) => {
  const { database, blobs, history, store } = parts

  const getVersion = async (access: DocumentAccess, id: string): Promise<FoundVersion> => {
    const version = await store.find(access, id)
    if (!version) throw new HttpError('version_not_found')
    return version
  }
  const answer = async (access: DocumentAccess, id: string) => {
    const { key: _, ...version } = await getVersion(access, id)
    return { version }
  }
  const readVersionBytes = async (version: FoundVersion, reserve: Reserve) => {
    const bytes = await readVersionText(database.read, blobs, version.key)
    if (!bytes) throw new HttpError('version_not_found')
    return readStoredJson(blobs, { bytes }, reserve)
  }

  return [
    serveApp(listVersions, async ({ access, query }) => {
      // A version from before the last changes may be due: it is kept first, so that the list has it.
      await keepVersions(parts, access.document)
      const page = await store.list(access, { after: query.after, keptOnly: query.only === 'kept' })
      return { current: (await store.findCurrent(access.document)) ?? null, ...page }
    }),

    serveApp(readVersion, ({ access, params }) => answer(access, params.versionId)),

    serveApp(readVersionGraph, async ({ access, params, quota }) => {
      const content = await readVersionBytes(await getVersion(access, params.versionId), quota.reserve)
      return Buffer.concat([Buffer.from('{"graph":'), content, Buffer.from('}')])
    }),

    serveApp(readVersionFile, async ({ access, params, quota }) => {
      const { key } = await getVersion(access, params.versionId)
      return writeVersionFile(await readVersionSource(database.read, key), blobs, quota.reserve)
    }),

    serveApp(readVersionStored, async ({ access, params, quota }) => {
      const { key } = await getVersion(access, params.versionId)
      const source = await readVersionSource(database.read, key)
      const bytes = await readVersionText(database.read, blobs, key)
      if (!source || !bytes) return { stored: null }
      return { stored: await quota.waitFor(() => parts.readStored(access, source.blob, { bytes })) }
    }),

    serveApp(readVersionSolution, async ({ access, params }) => {
      const { solutionId } = await getVersion(access, params.versionId)
      const solution = solutionId === null ? undefined : await parts.readSolution(access, solutionId)
      return { solution: solution ?? null }
    }),

    serveApp(createVersion, async ({ access, body, person, actor }) => {
      const name = readVersionName(body.name)
      const kept = await keepVersions(parts, access.document, 'manual')
      if (!kept) throw new HttpError('document_not_found')
      await changeTeamFor(database, actor, (change) =>
        nameVersion(change, kept.key, name, person.userId),
      ).catch(rethrowFilingError('document_not_found'))
      const { key: _, ...version } = await store.get(access, kept.key)
      return { version }
    }),

    serveApp(changeVersion, async ({ access, params, body, person, actor }) => {
      const { key, id } = await getVersion(access, params.versionId)
      const name = typeof body.name === 'string' ? readVersionName(body.name) : body.name
      await changeTeamFor(database, actor, async (change) => {
        if (name !== undefined) await nameVersion(change, key, name, person.userId)
        if (body.isPinned !== undefined) await pinVersion(change, key, body.isPinned)
      })
      return answer(access, id)
    }),

    serveApp(deleteVersion, async ({ access, params, actor }) => {
      const { key } = await getVersion(access, params.versionId)
      const isDone = await changeTeamFor(database, actor, (change) => removeVersion(change, key))
      if (!isDone) throw new HttpError('version_not_found')
    }),

    serveApp(restoreVersionEndpoint, async ({ access, params, body, actor }) => {
      const { key } = await getVersion(access, params.versionId)
      const isApplied = body.appliedBy === 'server'
      const restored = await restoreVersion(
        { database, blobs, history, actor, team: actor.team },
        access.document,
        key,
        isApplied,
      )
        .catch((error: unknown) => {
          if (!(error instanceof ReplaceError)) throw error
          throw new HttpError('version_not_restorable', { cause: error })
        })
        .catch(rethrowFilingError('document_not_found'))
      if (!restored) throw new HttpError('version_not_found')
      // What is inside clusters decides the result too.
      if (isApplied || restored.changedFile) await parts.requestSolve(actor, access.document)
      const { key: _, ...before } = await store.get(access, restored.before)
      // What was made in a child process is not parsed here.
      return Buffer.concat([
        Buffer.from(`{"before":${JSON.stringify(before)},"content":`),
        restored.json ?? Buffer.from('null'),
        Buffer.from(`,"changedFile":${restored.changedFile}}`),
      ])
    }),

    serveApp(copyVersion, async ({ access, params, body, person, host, actor }) => {
      const version = await getVersion(access, params.versionId)
      const original = await parts.findOriginal(access.document)
      if (!original) throw new HttpError('document_not_found')
      const name = body.name === undefined ? copyName(original.name, version) : readNameInput(body.name)
      const requester = { user: person.userId, host }
      const folder =
        body.folderId === undefined
          ? original.folder
          : await findTargetFolder(parts.resourceAccess, requester, access.team, body.folderId)
      const stored = await findStoredVersion(database.read, version.key)
      if (!stored) throw new HttpError('version_not_found')
      const { content, objects: references } = await history.copy(
        { kind: 'copy', version: stored },
        String(access.team),
      )
      const file = await readVersionSource(database.read, version.key)
      const source = file && (await toCopiedSource(file, blobs))
      const created = await changeTeamFor(database, actor, (change) =>
        createDocument(change, { folder, name, content, references, source, copyOf: access.document }),
      ).catch(rethrowFilingError('folder_not_found'))
      const document = await parts.readDocument({
        ...access,
        document: created.key,
        documentId: created.id,
        visibility: 'private',
      })
      if (!document) throw new HttpError('document_not_found')
      return { document }
    }),
  ]
}

/** Returns the name without the spaces around it. */
function readVersionName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > MAX_VERSION_NAME || findHidden(name) !== undefined)
    throw new HttpError('version_name_not_acceptable')
  return name.toWellFormed()
}

/** Returns the name of a copy, which ends with the name of the version, or its time in UTC. */
function copyName(name: string, version: FoundVersion): string {
  const of = ` (${version.name ?? version.at.slice(0, 16).replace('T', ' ')})`
  return `${name.slice(0, MAX_NAME_LENGTH - of.length).replace(/[\ud800-\udbff]$/, '')}${of}`
}
