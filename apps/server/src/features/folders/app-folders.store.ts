import type { UserId } from '@meadow/contract'
import {
  type AppFolder,
  type FolderFilters,
  NARROWING_FILTERS,
  TREE_LIMIT,
  type TreeFolder,
} from '@meadow/contract/web'
import { type RawBuilder, sql } from 'kysely'
import type { FolderAccess, TeamAccess } from '../../access/resource-access.store.ts'
import { readAncestors } from '../../library/folders.ts'
import type { Database } from '../../platform/database/database.ts'
import { sortByName } from '../../platform/sort-by-name.ts'
import { createFolderListing, type FolderListing } from './folder-listing.store.ts'
import { isFavouriteFolder } from './listed-documents.ts'

/** The queries of the web app about folders. The root has the name of the team (contract, part 2). */
export interface AppFolderStore extends Pick<FolderListing, 'listChoices'> {
  /** Resolves with undefined when the team is not set up correctly. */
  readTree(access: TeamAccess): Promise<{ folders: TreeFolder[]; truncated: boolean } | undefined>
  /** Resolves with undefined when the folder was deleted meanwhile. */
  readFolder(access: FolderAccess, user: UserId, filters: FolderFilters): Promise<AppFolder | undefined>
}

/** Documents directly in the folder. */
const countDocuments: RawBuilder<number> = sql`(
  select cast(count(*) as integer) from document where folder_id = folder.id and bin_id is null)`
const countFiles: RawBuilder<number> = sql`(
  select cast(count(*) as integer) from team_file where folder_id = folder.id and bin_id is null)`
const countFolders: RawBuilder<number> = sql`(
  select cast(count(*) as integer) from folder as inner_folder
  where inner_folder.parent_id = folder.id and inner_folder.bin_id is null)`
const depth: RawBuilder<number> = sql`length(folder.path) - length(replace(folder.path, '/', ''))`

export function createAppFolderStore(database: Pick<Database, 'read' | 'dialect'>): AppFolderStore {
  const { read } = database
  const { listContents, listChoices } = createFolderListing(database)
  return {
    listChoices,
    async readTree({ team, teamName }) {
      const rows = await read
        .selectFrom('folder')
        .leftJoin('folder as parent', 'parent.id', 'folder.parent_id')
        .where('folder.team_id', '=', team)
        .where('folder.bin_id', 'is', null)
        .orderBy(depth)
        .orderBy('folder.id')
        .limit(TREE_LIMIT + 1)
        .select([
          'folder.public_id as id',
          'folder.name',
          'parent.public_id as parentId',
          countDocuments.as('documents'),
        ])
        .execute()
      const [root] = rows
      if (root?.parentId !== null) return undefined
      root.name = teamName
      return { folders: inTreeOrder(rows.slice(0, TREE_LIMIT)), truncated: rows.length > TREE_LIMIT }
    },
    async readFolder(access, user, filters) {
      const { team, teamId, teamName, role, folder } = access
      const isFiltered = NARROWING_FILTERS.some((filter) => filters[filter] !== undefined)
      const [ancestors, { isFavourite }, folders, contents] = await Promise.all([
        readAncestors(read, { team, teamName }, folder),
        read
          .selectFrom('folder')
          .where('id', '=', folder)
          .select(isFavouriteFolder(user).as('isFavourite'))
          .executeTakeFirst()
          .then((row) => row ?? { isFavourite: false }),
        isFiltered || filters.subfolders !== undefined
          ? []
          : read
              .selectFrom('folder')
              .where('parent_id', '=', folder)
              .where('bin_id', 'is', null)
              .select([
                'public_id as id',
                'name',
                countFolders.as('folders'),
                countDocuments.as('documents'),
                countFiles.as('files'),
                isFavouriteFolder(user).as('isFavourite'),
              ])
              .execute(),
        listContents(access, user, filters),
      ])
      const self = ancestors.pop()
      return (
        self && {
          ...self,
          teamId,
          role: role!,
          parentId: ancestors.at(-1)?.id ?? null,
          isFavourite: Boolean(isFavourite),
          path: ancestors,
          folders: sortByName(folders.map((row) => ({ ...row, isFavourite: Boolean(row.isFavourite) }))),
          ...contents,
        }
      )
    },
  }
}

/** Sorts folders: each one before its subfolders, siblings by name. */
function inTreeOrder(rows: readonly TreeFolder[]): TreeFolder[] {
  const children = Map.groupBy(rows, ({ parentId }) => parentId)
  const ordered: TreeFolder[] = []
  const waiting = [...(children.get(null) ?? [])]
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    ordered.push(folder)
    waiting.push(...sortByName(children.get(folder.id) ?? []).reverse())
  }
  return ordered
}
