import type { GraphContent } from '@meadow/contract'
import {
  askForSolve,
  binDocument,
  changeAppDocument,
  createAppDocument,
  duplicateDocument,
  readAppDocument,
  readAppGraph,
  searchTeam,
} from '@meadow/contract/web'
import type { Actor } from '../../access/current-roles.ts'
import type { DocumentAccess, ResourceAccess } from '../../access/resource-access.store.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { serveApp } from '../../http/app/app-route.ts'
import { findTarget } from '../../http/app/find-target.ts'
import { readNameOrRefuse } from '../../http/app/read-name.ts'
import { refuseFiling } from '../../http/app/refuse-filing.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { MAX_NAME_LENGTH } from '../../platform/database/fold-name.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { storeContent, storeContentBytes } from '../../team-writes/store-content.ts'
import type { AppDocumentStore } from './app-documents.store.ts'
import type { Search } from './search.store.ts'

export interface AppDocumentParts {
  store: AppDocumentStore
  places: ResourceAccess
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  blobs: BlobStore
  search: Search
  /** The UTF-8 bytes of what a document holds now, as its editors see it; undefined when it is gone. */
  readContent(document: DocumentKey, reserve: Reserve): Promise<Uint8Array | undefined>
  /** Asks for a solve; false when the team has no credits. */
  askForSolve(actor: Actor, document: DocumentKey): Promise<boolean>
}

const EMPTY: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

export const appDocumentRoutes = (parts: AppDocumentParts) => {
  const { store, places, catalogue, blobs, search } = parts

  const tell = async (place: DocumentAccess) => {
    const document = await store.readDocument(place)
    if (!document) throw new HttpError('document_not_found')
    return { document }
  }
  const readContent = async (document: DocumentKey, reserve: Reserve) => {
    const content = await parts.readContent(document, reserve)
    if (!content) throw new HttpError('document_not_found')
    return content
  }

  return [
    serveApp(searchTeam, async ({ here, query: { q, folderId } }) => {
      const found = await search(here.team, { q, folderId })
      if (!found) throw new HttpError(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
      return found
    }),

    serveApp(readAppDocument, ({ here }) => tell(here)),

    serveApp(readAppGraph, async ({ here, share }) => {
      const content = await readContent(here.document, share.reserve)
      return Buffer.concat([Buffer.from('{"graph":'), content, Buffer.from('}')])
    }),

    serveApp(createAppDocument, async ({ here, body, actor }) => {
      const name = readNameOrRefuse(body.name)
      const content = await storeContent(blobs, EMPTY)
      const now = Date.now()
      const made = await catalogue
        .changeTeamFor(actor, (change) =>
          change.createDocument({ folder: here.folder, name, createdAt: now, updatedAt: now, content }),
        )
        .catch(refuseFiling('folder_not_found'))
      return tell({ ...here, document: made.key, documentId: made.id, visibility: 'private' })
    }),

    serveApp(duplicateDocument, async ({ here, body, person, host, share, actor }) => {
      const original = await store.findOriginal(here.document)
      if (!original) throw new HttpError('document_not_found')
      const name = body.name === undefined ? copyName(original.name) : readNameOrRefuse(body.name)
      const folder =
        body.folderId === undefined
          ? original.folder
          : await findTarget(places, { user: person.userId, host }, here.team, body.folderId)
      const content = await storeContentBytes(blobs, await readContent(here.document, share.reserve))
      const now = Date.now()
      const made = await catalogue
        .changeTeamFor(actor, (change) =>
          change.createDocument({ folder, name, createdAt: now, updatedAt: now, content }),
        )
        .catch(refuseFiling('folder_not_found'))
      return tell({ ...here, document: made.key, documentId: made.id })
    }),

    serveApp(changeAppDocument, async ({ here, body, person, host, actor }) => {
      const name = body.name === undefined ? undefined : readNameOrRefuse(body.name)
      const folder =
        body.folderId === undefined
          ? undefined
          : await findTarget(places, { user: person.userId, host }, here.team, body.folderId)
      await catalogue
        .changeTeamFor(actor, async (change) => {
          if (name !== undefined) await change.renameDocument(here.document, name)
          if (folder !== undefined) await change.moveDocument(here.document, folder)
          if (body.visibility !== undefined) await change.setVisibility(here.document, body.visibility)
        })
        .catch(refuseFiling('document_not_found'))
      return tell(here)
    }),

    serveApp(binDocument, async ({ here, person, actor }) => {
      await catalogue
        .changeTeamFor(actor, (change) => change.binDocument(here.document, person.userId))
        .catch(refuseFiling('document_not_found'))
    }),

    serveApp(askForSolve, async ({ here, actor }) => {
      if (!(await parts.askForSolve(actor, here.document))) throw new HttpError('no_credits')
      const { document } = await tell(here)
      return { solve: document.solve }
    }),
  ]
}

const COPY = ' (copy)'

/** Short enough for a name, and without half a character at the cut. */
const copyName = (name: string): string =>
  `${name.slice(0, MAX_NAME_LENGTH - COPY.length).replace(/[\ud800-\udbff]$/, '')}${COPY}`
