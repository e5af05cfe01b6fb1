import { deleteBinItem, emptyBin, listBin, restoreBinItem } from '@meadow/contract/web'
import { type Actor, changeTeamFor } from '../../access/current-roles.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { restoreFromBin } from '../../library/bin.ts'
import type { Database } from '../../platform/database/database.ts'
import type { BinKey } from '../../platform/database/tables.ts'
import type { BinStore } from './bin.store.ts'

export interface BinParts {
  store: BinStore
  database: Database
  deletePermanently(actor: Actor, item: BinKey): Promise<void>
}

export const binRoutes = ({ store, database, deletePermanently }: BinParts) => [
  serveApp(listBin, ({ access, query }) => store.list(access, query.after)),

  serveApp(restoreBinItem, async ({ access, actor }) => {
    const { folder, ...restored } = await changeTeamFor(database, actor, (change) =>
      restoreFromBin(change, access.binItem),
    ).catch(rethrowFilingError('bin_item_not_found'))
    const name = folder.parent === null ? access.teamName : folder.name
    return { ...restored, folder: { id: folder.id, name } }
  }),

  serveApp(deleteBinItem, ({ access, actor }) => deletePermanently(actor, access.binItem)),

  serveApp(emptyBin, async ({ access, actor }) => {
    for (const item of await store.listKeys(access.team)) await deletePermanently(actor, item)
  }),
]
