import type { UserId } from '@meadow/contract'
import {
  binFolder,
  changeAppFolder,
  changeFavourites,
  createAppFolder,
  type FolderFilters,
  listFavourites,
  listRecents,
  markOpened,
  readAppFolder,
  readFilterChoices,
  readFolderTree,
} from '@meadow/contract/web'
import { changeTeamFor } from '../../access/current-roles.ts'
import type { FolderAccess, ResourceAccess } from '../../access/resource-access.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { findTargetFolder } from '../../http/app-api/authorize.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { putFolderIntoBin } from '../../library/bin.ts'
import { createFolder, moveFolder, renameFolder } from '../../library/folders.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AppFolderStore } from './app-folders.store.ts'
import { itemChangeRoutes } from './item-changes.routes.ts'
import { type ItemSolveParts, itemSolveRoutes } from './item-solves.routes.ts'
import type { PersonalLists } from './personal-lists.store.ts'

export interface AppFolderParts {
  store: AppFolderStore
  lists: PersonalLists
  resourceAccess: ResourceAccess
  database: Database
  requestSolves: ItemSolveParts['requestSolves']
}

export const appFolderRoutes = (parts: AppFolderParts) => {
  const { store, lists, resourceAccess, database, requestSolves } = parts
  const respond = async (access: FolderAccess, user: UserId, filters: FolderFilters = {}) => {
    const folder = await store.readFolder(access, user, filters)
    if (!folder) throw new HttpError('folder_not_found')
    return { folder }
  }
  return [
    serveApp(readFolderTree, async ({ access }) => {
      const tree = await store.readTree(access)
      if (!tree) throw new HttpError('team_without_root')
      return tree
    }),

    serveApp(readAppFolder, ({ access, person, query }) => respond(access, person.userId, query)),

    serveApp(readFilterChoices, ({ access }) => store.listChoices(access)),

    serveApp(createAppFolder, async ({ access, body, person, actor }) => {
      const name = readNameInput(body.name)
      const created = await changeTeamFor(database, actor, (change) =>
        createFolder(change, access.folder, name),
      ).catch(rethrowFilingError('folder_not_found'))
      return respond({ ...access, folder: created.key }, person.userId)
    }),

    serveApp(changeAppFolder, async ({ access, body, person, host, actor }) => {
      if (access.parent === null) throw new HttpError('root_folder_stays')
      const name = body.name === undefined ? undefined : readNameInput(body.name)
      const parent =
        body.parentId === undefined
          ? undefined
          : await findTargetFolder(resourceAccess, { user: person.userId, host }, access.team, body.parentId)
      await changeTeamFor(database, actor, async (change) => {
        if (name !== undefined) await renameFolder(change, access.folder, name)
        if (parent !== undefined && parent !== access.parent) await moveFolder(change, access.folder, parent)
      }).catch(rethrowFilingError('folder_not_found'))
      return respond(access, person.userId)
    }),

    serveApp(binFolder, async ({ access, person, actor }) => {
      if (access.parent === null) throw new HttpError('root_folder_stays')
      await changeTeamFor(database, actor, (change) =>
        putFolderIntoBin(change, access.folder, person.userId),
      ).catch(rethrowFilingError('folder_not_found'))
    }),

    serveApp(listRecents, ({ access, person }) => lists.listRecents(access, person.userId)),

    serveApp(markOpened, ({ access, person }) =>
      lists.markOpened(person.userId, access.document, Date.now()),
    ),

    serveApp(listFavourites, ({ access, person }) => lists.listFavourites(access, person.userId)),

    serveApp(changeFavourites, ({ access, person, body }) =>
      lists.changeFavourites(access, person.userId, body.items, body.isFavourite),
    ),

    ...itemChangeRoutes({ resourceAccess, database }),
    ...itemSolveRoutes({ database, requestSolves }),
  ]
}
