import { deleteBinItem, emptyBin, listBin, restoreBinItem } from '@meadow/contract/web'
import type { Actor } from '../../access/current-roles.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { serveApp } from '../../http/app/app-route.ts'
import { refuseFiling } from '../../http/app/refuse-filing.ts'
import type { BinKey } from '../../platform/database/tables.ts'
import type { BinStore } from './bin.store.ts'

export interface BinParts {
  store: BinStore
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  deletePermanently(actor: Actor, item: BinKey): Promise<void>
}

export const binRoutes = ({ store, catalogue, deletePermanently }: BinParts) => [
  serveApp(listBin, ({ here, query }) => store.list(here, query.after)),

  serveApp(restoreBinItem, async ({ here, actor }) => {
    const { folder, ...restored } = await catalogue
      .changeTeamFor(actor, (change) => change.restore(here.binItem))
      .catch(refuseFiling('bin_item_not_found'))
    const name = folder.parent === null ? here.teamName : folder.name
    return { ...restored, folder: { id: folder.id, name } }
  }),

  serveApp(deleteBinItem, ({ here, actor }) => deletePermanently(actor, here.binItem)),

  serveApp(emptyBin, async ({ here, actor }) => {
    for (const item of await store.listKeys(here.team)) await deletePermanently(actor, item)
  }),
]
