import type { GraphContent } from '@meadow/contract'
import {
  askForSolve,
  binDocument,
  changeAppDocument,
  createAppDocument,
  duplicateDocument,
  type FoundFile,
  readAppDocument,
  readAppFile,
  readAppGraph,
  readAppStored,
  readUnsolvable,
  searchTeam,
  type UnsolvableNode,
} from '@meadow/contract/web'
import type { StoredFacts } from '@meadow/document'
import { LRUCache } from 'lru-cache'
import { type Actor, changeTeamFor } from '../../access/current-roles.ts'
import type { DocumentAccess, ResourceAccess } from '../../access/resource-access.store.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { findTargetFolder } from '../../http/app-api/authorize.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { putDocumentIntoBin } from '../../library/bin.ts'
import {
  createDocument,
  moveDocument,
  PublicDocumentError,
  renameDocument,
  setVisibility,
} from '../../library/documents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { MAX_NAME_LENGTH } from '../../platform/database/names.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { storeContent, storeContentBytes } from '../../team/content-blobs.ts'
import type { AppDocumentStore } from './app-documents.store.ts'
import { writeFileMembers } from './documents.store.ts'
import type { FileFactsStore } from './file-facts.store.ts'
import type { Search, SearchRequest } from './search.store.ts'

export interface AppDocumentParts {
  store: AppDocumentStore
  resourceAccess: ResourceAccess
  database: Database
  blobs: BlobStore
  search: Search
  /** Finds other files by name. */
  searchFiles(team: TeamKey, request: SearchRequest): Promise<{ files: FoundFile[]; truncated: boolean }>
  /** The UTF-8 bytes of a document's current content, as its editors see it; undefined when it was deleted. */
  readContent(document: DocumentKey, reserve: Reserve): Promise<Uint8Array | undefined>
  /**
   * What of a document cannot be solved, from its content and the digest of its file. Undefined when it was deleted, null
   * when it takes too much time or memory to find out.
   */
  listUnsolvable(
    access: DocumentAccess,
    file: string | undefined,
    reserve: Reserve,
  ): Promise<UnsolvableNode[] | null | undefined>
  /** Digests of what the file of a document stores, as far as it goes for it now; null when it cannot be read. */
  readStored(access: DocumentAccess, file: string, reserve: Reserve): Promise<StoredFacts | null>
  facts: FileFactsStore
  /** Requests a solve; false when the team has no credits. */
  requestSolve(actor: Actor, document: DocumentKey): Promise<boolean>
}

/** The size of the cache of what cannot be solved, in characters of JSON. */
const MAX_CACHED_LENGTH = 8 * 2 ** 20

const EMPTY: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

export const appDocumentRoutes = (parts: AppDocumentParts) => {
  const { store, resourceAccess, database, blobs, search } = parts

  const respond = async (access: DocumentAccess) => {
    const document = await store.readDocument(access)
    if (!document) throw new HttpError('document_not_found')
    return { document }
  }
  const readContent = async (document: DocumentKey, reserve: Reserve) => {
    const content = await parts.readContent(document, reserve)
    if (!content) throw new HttpError('document_not_found')
    return content
  }

  /** The content and the file that it belongs to: an import may replace both meanwhile. */
  const readCopied = async (document: DocumentKey, reserve: Reserve) => {
    for (;;) {
      const copied = await store.readCopied(document)
      const content = await storeContentBytes(blobs, await readContent(document, reserve))
      const now = await store.findVersion(document)
      if (!now) throw new HttpError('document_not_found')
      if (now.file === (copied.source?.blob ?? null)) return { ...copied, content }
    }
  }

  /** The nodes that cannot be solved, by version of a document. */
  const unsolvable = new LRUCache<string, { nodes: UnsolvableNode[] | null }>({
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: ({ nodes }) => JSON.stringify(nodes).length,
  })

  return [
    serveApp(searchTeam, async ({ access, query: { q, folderId } }) => {
      const found = await search(access.team, { q, folderId })
      if (!found) throw new HttpError(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
      const states = await store.listStates(
        access.team,
        found.documents.map(({ id }) => id),
      )
      // A document that went to the bin since is left out.
      const documents = found.documents.flatMap((document) => {
        const state = states.get(document.id)
        return state ? [{ ...document, ...state }] : []
      })
      const { files, truncated } = await parts.searchFiles(access.team, { q, folderId })
      return { documents, files, truncated: found.truncated || truncated }
    }),

    serveApp(readAppDocument, ({ access }) => respond(access)),

    serveApp(readAppGraph, async ({ access, quota }) => {
      const content = await readContent(access.document, quota.reserve)
      const shown = access.role === null ? withoutObjects(content) : [content]
      return Buffer.concat([Buffer.from('{"graph":'), ...shown, Buffer.from('}')])
    }),

    serveApp(readAppFile, async ({ access, quota }) => {
      const file = await store.findFile(access.document)
      if (file === undefined) throw new HttpError('document_not_found')
      // Authors, and what is inside of clusters, are not for visitors.
      if (!file || access.role === null) return { file: null, clusters: {} }
      const facts = file.facts === null ? undefined : await parts.facts.read(access.document, quota.reserve)
      const members = Buffer.from(`{${writeFileMembers(file, facts)}`)
      if (!facts) return Buffer.concat([members, Buffer.from(',"clusters":{}}')])
      return Buffer.concat([members, facts.clusters, Buffer.from('}')])
    }),

    serveApp(readAppStored, async ({ access, quota }) => {
      const version = await store.findVersion(access.document)
      if (!version) throw new HttpError('document_not_found')
      const { file } = version
      if (file === null) return { stored: null }
      return { stored: await quota.waitFor(() => parts.readStored(access, file, quota.reserve)) }
    }),

    serveApp(readUnsolvable, async ({ access, quota }) => {
      const version = await store.findVersion(access.document)
      if (!version) throw new HttpError('document_not_found')
      const key = `${access.document} ${version.seq} ${version.file}`
      const show = (nodes: UnsolvableNode[] | null) => ({
        // What is inside clusters is for members.
        unsolvable: access.role === null && nodes ? nodes.filter(({ inside }) => !inside?.length) : nodes,
      })
      const cached = unsolvable.get(key)
      if (cached) return show(cached.nodes)
      const file = version.file ?? undefined
      const nodes = await quota.waitFor(() => parts.listUnsolvable(access, file, quota.reserve))
      if (nodes === undefined) throw new HttpError('document_not_found')
      unsolvable.set(key, { nodes })
      return show(nodes)
    }),

    serveApp(createAppDocument, async ({ access, body, actor }) => {
      const name = readNameInput(body.name)
      const content = await storeContent(blobs, EMPTY)
      const created = await changeTeamFor(database, actor, (change) =>
        createDocument(change, { folder: access.folder, name, content }),
      ).catch(rethrowFilingError('folder_not_found'))
      return respond({ ...access, document: created.key, documentId: created.id, visibility: 'private' })
    }),

    serveApp(duplicateDocument, async ({ access, body, person, host, quota, actor }) => {
      const original = await store.findOriginal(access.document)
      if (!original) throw new HttpError('document_not_found')
      const name = body.name === undefined ? copyName(original.name) : readNameInput(body.name)
      const folder =
        body.folderId === undefined
          ? original.folder
          : await findTargetFolder(resourceAccess, { user: person.userId, host }, access.team, body.folderId)
      const { content, source, references } = await readCopied(access.document, quota.reserve)
      const created = await changeTeamFor(database, actor, (change) =>
        createDocument(change, { folder, name, content, source, references, copyOf: access.document }),
      ).catch(rethrowFilingError('folder_not_found'))
      return respond({ ...access, document: created.key, documentId: created.id })
    }),

    serveApp(changeAppDocument, async ({ access, body, person, host, actor }) => {
      const name = body.name === undefined ? undefined : readNameInput(body.name)
      const folder =
        body.folderId === undefined
          ? undefined
          : await findTargetFolder(resourceAccess, { user: person.userId, host }, access.team, body.folderId)
      await changeTeamFor(database, actor, async (change) => {
        if (name !== undefined) await renameDocument(change, access.document, name)
        if (folder !== undefined) await moveDocument(change, access.document, folder)
        const until = body.publicUntil === undefined ? undefined : Date.parse(body.publicUntil)
        if (body.visibility !== undefined)
          await setVisibility(change, access.document, body.visibility, until)
      })
        .catch((error: unknown) => {
          if (error instanceof PublicDocumentError)
            throw new HttpError(error.code, {
              cause: error,
              ...(error.code === 'public_end_not_acceptable' && { sentence: error.message }),
            })
          throw error
        })
        .catch(rethrowFilingError('document_not_found'))
      return respond(access)
    }),

    serveApp(binDocument, async ({ access, person, actor }) => {
      await changeTeamFor(database, actor, (change) =>
        putDocumentIntoBin(change, access.document, person.userId),
      ).catch(rethrowFilingError('document_not_found'))
    }),

    serveApp(askForSolve, async ({ access, actor }) => {
      if (!(await parts.requestSolve(actor, access.document))) throw new HttpError('no_credits')
      const { document } = await respond(access)
      return { solve: document.solve }
    }),
  ]
}

const OBJECT = Buffer.from('"object":"')
const [QUOTE, BACKSLASH] = Buffer.from('"\\')

/**
 * The JSON of a graph, with an empty text for each object of a placed library item (`Placed`): what is inside clusters is for
 * members. Only keys match, since quotes inside texts are escaped.
 */
function withoutObjects(json: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = bytes.indexOf(OBJECT); at >= 0; at = bytes.indexOf(OBJECT, from)) {
    let end = at + OBJECT.length
    parts.push(bytes.subarray(from, end))
    while (bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1
    from = end
  }
  return [...parts, bytes.subarray(from)]
}

const COPY = ' (copy)'

/** Shortened to the length of a name, without half a character at its end. */
const copyName = (name: string): string =>
  `${name.slice(0, MAX_NAME_LENGTH - COPY.length).replace(/[\ud800-\udbff]$/, '')}${COPY}`
