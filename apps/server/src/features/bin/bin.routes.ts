import { deleteBinItem, emptyBin, listBin, restoreBinItem } from '@meadow/contract/web'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { serveApp } from '../../http/app/app-route.ts'
import { refuseFiling } from '../../http/app/refuse-filing.ts'
import type { BinKey, TeamKey } from '../../platform/database/tables.ts'
import type { BinStore } from './bin.store.ts'

export interface BinParts {
  store: BinStore
  catalogue: Pick<Catalogue, 'changeTeam'>
  deleteForEver(team: TeamKey, item: BinKey): Promise<void>
}

export const binRoutes = ({ store, catalogue, deleteForEver }: BinParts) => [
  serveApp(listBin, ({ here, query }) => store.list(here, query.after)),

  serveApp(restoreBinItem, async ({ here }) => {
    const { folder, ...restored } = await catalogue
      .changeTeam(here.team, (change) => change.restore(here.binItem))
      .catch(refuseFiling('bin_item_not_found'))
    const name = folder.parent === null ? here.teamName : folder.name
    return { ...restored, folder: { id: folder.id, name } }
  }),

  serveApp(deleteBinItem, ({ here }) => deleteForEver(here.team, here.binItem)),

  serveApp(emptyBin, async ({ here }) => {
    for (const item of await store.listKeys(here.team)) await deleteForEver(here.team, item)
  }),
]
