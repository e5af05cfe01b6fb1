import {
  binItems,
  type ItemProblem,
  type ItemReference,
  moveItems,
  restoreBinItems,
} from '@meadow/contract/web'
import { APP_ERRORS, type AppErrorCode } from '@meadow/contract/web/terms'
import { changeTeamFor } from '../../access/current-roles.ts'
import type { ResourceAccess, TeamAccess } from '../../access/resource-access.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { findTargetFolder } from '../../http/app-api/authorize.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { HttpError } from '../../http/http-error.ts'
import {
  putDocumentsIntoBin,
  putFileIntoBin,
  putFolderIntoBin,
  restoreDocuments,
  restoreFromBin,
} from '../../library/bin.ts'
import { moveDocument } from '../../library/documents.ts'
import { moveFolder } from '../../library/folders.ts'
import { findBinItems, findItems, type NamedItem } from '../../library/items.ts'
import { moveFile } from '../../library/team-files.ts'
import type { Database } from '../../platform/database/database.ts'

export interface ItemChangeParts {
  resourceAccess: ResourceAccess
  database: Database
}

const MISSING = {
  folder: 'folder_not_found',
  document: 'document_not_found',
  file: 'file_not_found',
} as const satisfies Record<ItemReference['kind'], AppErrorCode>

/**
 * Changes of several items. Each request is one transaction, which holds what could be done: an item that could not be
 * changed is reported and left as it was, since each change checks its item before it writes.
 */
export const itemChangeRoutes = ({ resourceAccess, database }: ItemChangeParts) => [
  serveApp(moveItems, async ({ access, body, person, host, actor }) => {
    const folder = await findTargetFolder(
      resourceAccess,
      { user: person.userId, host },
      access.team,
      body.folderId,
    )
    return changeTeamFor(database, actor, async (change) => {
      const { found, problems } = sortOut(access, body.items, await findItems(change, body.items))
      for (const item of found) {
        const moved =
          item.kind === 'document'
            ? moveDocument(change, item.key, folder)
            : item.kind === 'file'
              ? moveFile(change, item.key, folder)
              : moveFolder(change, item.key, folder)
        await moved.catch(report(item, problems))
      }
      return { problems }
    })
  }),

  serveApp(binItems, ({ access, body, person, actor }) =>
    changeTeamFor(database, actor, async (change) => {
      const { found, problems } = sortOut(access, body.items, await findItems(change, body.items))
      const documents = found.flatMap((item) => (item.kind === 'document' ? item.key : []))
      const binItemIds: string[] =
        documents.length > 0 ? await putDocumentsIntoBin(change, documents, person.userId) : []
      for (const item of found) {
        if (item.kind === 'document') continue
        // A folder that was named may have been inside another one that was.
        if (item.kind === 'folder' && (await findItems(change, [item])).length === 0) continue
        binItemIds.push(
          await (item.kind === 'file'
            ? putFileIntoBin(change, item.key, person.userId)
            : putFolderIntoBin(change, item.key, person.userId)),
        )
      }
      return { binItemIds, problems }
    }),
  ),

  serveApp(restoreBinItems, ({ body, actor }) =>
    changeTeamFor(database, actor, async (change) => {
      const found = await findBinItems(change, body.binItemIds)
      const problems: ItemProblem[] = []
      const known = new Set<string>(found.map(({ id }) => id))
      for (const id of body.binItemIds)
        if (!known.has(id)) problems.push({ id, name: null, error: sentenceOf('bin_item_not_found') })
      for (const { key, id, document } of found)
        if (document === null)
          await restoreFromBin(change, key).catch(
            report({ kind: 'folder', id, name: null }, problems, 'bin_item_not_found'),
          )
      // A document may have been in a folder that was deleted after it.
      const documents = found.flatMap(({ key, document }) => (document === null ? [] : key))
      if (documents.length > 0) await restoreDocuments(change, documents)
      return { problems }
    }),
  ),
]

const sentenceOf = (code: AppErrorCode) => APP_ERRORS[code].sentence

/** The items to change, and a problem for each that is missing or stays: the root. */
function sortOut(
  { teamName }: TeamAccess,
  named: readonly ItemReference[],
  items: readonly NamedItem[],
): { found: NamedItem[]; problems: ItemProblem[] } {
  const known = new Set(items.map(({ id }) => id))
  const missing = named.filter(({ id }) => !known.has(id))
  return {
    found: items.filter(({ isRoot }) => !isRoot),
    problems: [
      ...missing.map(({ kind, id }) => ({ id, name: null, error: sentenceOf(MISSING[kind]) })),
      ...items.flatMap(({ id, isRoot }) =>
        isRoot ? { id, name: teamName, error: sentenceOf('root_folder_stays') } : [],
      ),
    ],
  }
}

/** Returns a handler that records why an item was not changed. It throws other errors, which end the whole request. */
const report =
  (
    { kind, id, name }: Pick<NamedItem, 'kind' | 'id'> & { name: string | null },
    problems: ItemProblem[],
    missing: AppErrorCode = MISSING[kind],
  ) =>
  (error: unknown): void => {
    try {
      rethrowFilingError(missing)(error)
    } catch (thrown) {
      if (!(thrown instanceof HttpError)) throw thrown
      problems.push({ id, name, error: thrown.message })
    }
  }
