import { findUses, listUsingNodes, suggestUses, type UseReference } from '@meadow/contract/web'
import type { Requester, ResourceAccess } from '../../access/resource-access.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { findTargetFolder } from '../../http/app-api/authorize.ts'
import { HttpError } from '../../http/http-error.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import type { FindUsesStore, UseScope } from './find-uses.store.ts'
import type { UsesReader } from './reading/uses-reader.ts'

export interface LibrarySearchParts {
  store: FindUsesStore
  reader: Pick<UsesReader, 'listNodes'>
  resourceAccess: ResourceAccess
}

/** Which documents of a team use something. Members and viewers of the team may ask, visitors of a document may not. */
export const librarySearchRoutes = ({ store, reader, resourceAccess }: LibrarySearchParts) => {
  async function findScope(
    requester: Requester,
    team: TeamKey,
    folderId: string | undefined,
  ): Promise<UseScope> {
    if (folderId === undefined) return { team }
    return { team, folder: await findTargetFolder(resourceAccess, requester, team, folderId) }
  }

  return [
    serveApp(suggestUses, async ({ access: { team }, person, host, query: { q = '', folderId } }) => {
      const scope = await findScope({ user: person.userId, host }, team, folderId)
      return { ...(await store.suggest(scope, clean(q))), index: await store.readIndexState(team) }
    }),

    serveApp(findUses, async ({ access: { team }, person, host, query: { folderId, ...reference } }) => {
      const scope = await findScope({ user: person.userId, host }, team, folderId)
      return {
        ...(await store.find(scope, cleanReference(reference))),
        index: await store.readIndexState(team),
      }
    }),

    serveApp(listUsingNodes, async ({ access: { team, document }, query, quota, signal }) => {
      const found = await store.findSource(document)
      if (!found) throw new HttpError('document_not_found')
      const reference = cleanReference(query)
      const keys = await store.listKeys(team, reference)
      const nodes = await quota.waitFor(() =>
        reader.listNodes(
          { key: document, ...found },
          team,
          { reference, keys },
          { signal, reserve: quota.reserve },
        ),
      )
      if (nodes === undefined) throw new HttpError('document_not_found')
      return { nodes }
    }),
  ]
}

/** Removes what PostgreSQL rejects. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

const cleanReference = ({ kind, key, version }: UseReference): UseReference => ({
  kind,
  key: clean(key),
  ...(version !== undefined && { version: clean(version) }),
})
