import { type AppFolder, TREE_LIMIT, type TreeFolder } from '@meadow/contract/web'
import { type RawBuilder, sql } from 'kysely'
import type { FolderAccess, TeamAccess } from '../../access/resource-access.store.ts'
import { readAncestors } from '../../catalogue/folders.ts'
import { solveColumns, toSolveSummary } from '../../platform/database/completeness.ts'
import type { Database } from '../../platform/database/database.ts'
import { type DocumentSummaryRow, toSummary } from '../../platform/database/document-summary.ts'
import { FILE_COLUMNS, toFileSummary } from '../../platform/database/file-summary.ts'
import { sortByName } from '../../platform/sort-by-name.ts'

/** The queries of the web app about folders. The root has the name of the team (contract, part 2). */
export interface AppFolderStore {
  /** Undefined when the team is not set up correctly. */
  readTree(access: TeamAccess): Promise<{ folders: TreeFolder[]; truncated: boolean } | undefined>
  /** Undefined when the folder was deleted meanwhile. */
  readFolder(access: FolderAccess): Promise<AppFolder | undefined>
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

export function createAppFolderStore({ read }: Pick<Database, 'read'>): AppFolderStore {
  return {
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
    async readFolder({ team, teamId, teamName, role, folder }) {
      const [ancestors, folders, documents, files] = await Promise.all([
        readAncestors(read, { team, teamName }, folder),
        read
          .selectFrom('folder')
          .where('parent_id', '=', folder)
          .where('bin_id', 'is', null)
          .select([
            'public_id as id',
            'name',
            countFolders.as('folders'),
            countDocuments.as('documents'),
            countFiles.as('files'),
          ])
          .execute(),
        read
          .selectFrom('document')
          .where('folder_id', '=', folder)
          .where('bin_id', 'is', null)
          .select(['public_id as id', 'name', 'visibility', 'created_at', 'updated_at', ...solveColumns])
          .execute(),
        read
          .selectFrom('team_file')
          .where('folder_id', '=', folder)
          .where('bin_id', 'is', null)
          .select(FILE_COLUMNS)
          .execute(),
      ])
      const self = ancestors.pop()
      return (
        self && {
          ...self,
          teamId,
          role: role!,
          parentId: ancestors.at(-1)?.id ?? null,
          path: ancestors,
          folders: sortByName(folders),
          documents: sortByName(documents.map(toListedDocument)),
          files: sortByName(files.map(toFileSummary)),
        }
      )
    },
  }
}

const toListedDocument = (
  row: DocumentSummaryRow & Parameters<typeof toSolveSummary>[0],
): AppFolder['documents'][number] => ({ ...toSummary(row), ...toSolveSummary(row) })

/** Each folder before its subfolders, siblings by name. */
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
