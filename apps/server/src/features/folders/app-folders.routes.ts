import {
  binFolder,
  changeAppFolder,
  createAppFolder,
  readAppFolder,
  readFolderTree,
} from '@meadow/contract/web'
import type { FolderAccess, ResourceAccess } from '../../access/resource-access.store.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { serveApp } from '../../http/app/app-route.ts'
import { findTarget } from '../../http/app/find-target.ts'
import { readNameOrRefuse } from '../../http/app/read-name.ts'
import { refuseFiling } from '../../http/app/refuse-filing.ts'
import { HttpError } from '../../http/http-error.ts'
import type { AppFolderStore } from './app-folders.store.ts'

export interface AppFolderParts {
  store: AppFolderStore
  places: ResourceAccess
  catalogue: Pick<Catalogue, 'changeTeamFor'>
}

export const appFolderRoutes = ({ store, places, catalogue }: AppFolderParts) => {
  const tell = async (place: FolderAccess) => {
    const folder = await store.readFolder(place)
    if (!folder) throw new HttpError('folder_not_found')
    return { folder }
  }
  return [
    serveApp(readFolderTree, async ({ here }) => {
      const tree = await store.readTree(here)
      if (!tree) throw new HttpError('team_without_root')
      return tree
    }),

    serveApp(readAppFolder, ({ here }) => tell(here)),

    serveApp(createAppFolder, async ({ here, body, actor }) => {
      const name = readNameOrRefuse(body.name)
      const made = await catalogue
        .changeTeamFor(actor, (change) => change.createFolder(here.folder, name))
        .catch(refuseFiling('folder_not_found'))
      return tell({ ...here, folder: made.key })
    }),

    serveApp(changeAppFolder, async ({ here, body, person, host, actor }) => {
      if (here.parent === null) throw new HttpError('root_folder_stays')
      const name = body.name === undefined ? undefined : readNameOrRefuse(body.name)
      const parent =
        body.parentId === undefined
          ? undefined
          : await findTarget(places, { user: person.userId, host }, here.team, body.parentId)
      await catalogue
        .changeTeamFor(actor, async (change) => {
          if (name !== undefined) await change.renameFolder(here.folder, name)
          if (parent !== undefined && parent !== here.parent) await change.moveFolder(here.folder, parent)
        })
        .catch(refuseFiling('folder_not_found'))
      return tell(here)
    }),

    serveApp(binFolder, async ({ here, person, actor }) => {
      if (here.parent === null) throw new HttpError('root_folder_stays')
      await catalogue
        .changeTeamFor(actor, (change) => change.binFolder(here.folder, person.userId))
        .catch(refuseFiling('folder_not_found'))
    }),
  ]
}
