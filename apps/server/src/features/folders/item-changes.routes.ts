import {
  binItems,
  type ItemProblem,
  type ItemReference,
  moveItems,
  restoreBinItems,
} from '@meadow/contract/web'
import { APP_ERRORS, type AppErrorCode } from '@meadow/contract/web/terms'
import type { ResourceAccess, TeamAccess } from '../../access/resource-access.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { findTargetFolder } from '../../http/app-api/authorize.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Catalogue } from '../../library/catalogue.ts'
import type { NamedItem } from '../../library/items.ts'

export interface ItemChangeParts {
  resourceAccess: ResourceAccess
  catalogue: Pick<Catalogue, 'changeTeamFor'>
}

const MISSING = {
  folder: 'folder_not_found',
  document: 'document_not_found',
  file: 'file_not_found',
} as const satisfies Record<ItemReference['kind'], AppErrorCode>

/**
 * Changes of several items. Each request is one transaction, which holds what could be done: an item that could not be
 * changed is reported and left as it was, since the catalogue checks an item before it writes to it.
 */
export const itemChangeRoutes = ({ resourceAccess, catalogue }: ItemChangeParts) => [
  serveApp(moveItems, async ({ access, body, person, host, actor }) => {
    const folder = await findTargetFolder(
      resourceAccess,
      { user: person.userId, host },
      access.team,
      body.folderId,
    )
    return catalogue.changeTeamFor(actor, async (change) => {
      const { found, problems } = sortOut(access, body.items, await change.findItems(body.items))
      for (const item of found) {
        const moved =
          item.kind === 'document'
            ? change.moveDocument(item.key, folder)
            : item.kind === 'file'
              ? change.moveFile(item.key, folder)
              : change.moveFolder(item.key, folder)
        await moved.catch(report(item, problems))
      }
      return { problems }
    })
  }),

  serveApp(binItems, ({ access, body, person, actor }) =>
    catalogue.changeTeamFor(actor, async (change) => {
      const { found, problems } = sortOut(access, body.items, await change.findItems(body.items))
      const binItemIds: string[] = []
      for (const item of found) {
        // A folder that was named may have been inside another one that was.
        if (item.kind === 'folder' && (await change.findItems([item])).length === 0) continue
        binItemIds.push(
          await (item.kind === 'document'
            ? change.binDocument(item.key, person.userId)
            : item.kind === 'file'
              ? change.binFile(item.key, person.userId)
              : change.binFolder(item.key, person.userId)),
        )
      }
      return { binItemIds, problems }
    }),
  ),

  serveApp(restoreBinItems, ({ body, actor }) =>
    catalogue.changeTeamFor(actor, async (change) => {
      const found = await change.findBinItems(body.binItemIds)
      const problems: ItemProblem[] = []
      const known = new Set<string>(found.map(({ id }) => id))
      for (const id of body.binItemIds)
        if (!known.has(id)) problems.push({ id, name: null, error: sentenceOf('bin_item_not_found') })
      for (const { key, id } of found)
        await change
          .restore(key)
          .catch(report({ kind: 'folder', id, name: null }, problems, 'bin_item_not_found'))
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
