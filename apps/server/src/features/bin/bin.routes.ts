import { deleteBinItem, emptyBin, listBin, restoreBinItem } from '@meadow/contract/web'
import type { Actor } from '../../access/current-roles.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import type { Catalogue } from '../../library/catalogue.ts'
import type { BinKey } from '../../platform/database/tables.ts'
import type { BinStore } from './bin.store.ts'

export interface BinParts {
  store: BinStore
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  deletePermanently(actor: Actor, item: BinKey): Promise<void>
}

export const binRoutes = ({ store, catalogue, deletePermanently }: BinParts) => [
  serveApp(listBin, ({ access, query }) => store.list(access, query.after)),

  serveApp(restoreBinItem, async ({ access, actor }) => {
    const { folder, ...restored } = await catalogue
      .changeTeamFor(actor, (change) => change.restore(access.binItem))
      .catch(rethrowFilingError('bin_item_not_found'))
    const name = folder.parent === null ? access.teamName : folder.name
    return { ...restored, folder: { id: folder.id, name } }
  }),

  serveApp(deleteBinItem, ({ access, actor }) => deletePermanently(actor, access.binItem)),

  serveApp(emptyBin, async ({ access, actor }) => {
    for (const item of await store.listKeys(access.team)) await deletePermanently(actor, item)
  }),
]
