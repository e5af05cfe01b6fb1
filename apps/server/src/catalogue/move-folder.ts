import { sql } from 'kysely'
import type { Write } from '../platform/database/database.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'
import { FilingError, getFolderPath, readFolderPath } from '../team-writes/folder-path.ts'
import type { IndexChanges } from '../team-writes/index-changes.ts'
import { listIndexed, pathRange } from '../team-writes/subtree.ts'

/** Deeper than any team files things, and short enough for every document to be found by all of its folders. */
const MAX_DEPTH = 64

/** Fails with a {@link FilingError} when a folder inside of one with this path would be too deep. */
export function refuseTooDeep(parentPath: string, levelsBelow = 1): void {
  if (readFolderPath(parentPath).length + levelsBelow <= MAX_DEPTH) return
  throw new FilingError('too_deep', `Folders are ${MAX_DEPTH} levels deep at most.`)
}

/** `FolderChanges.moveFolder`. */
export async function moveFolder(
  write: Write,
  team: TeamKey,
  folder: FolderKey,
  parent: FolderKey,
  index: IndexChanges,
): Promise<void> {
  const path = await getFolderPath(write, team, folder)
  const parentPath = await getFolderPath(write, team, parent)
  if (parentPath.startsWith(path)) {
    throw new FilingError('inside_itself', 'A folder cannot be moved into itself.')
  }
  const before = await listIndexed(write, team, path, null)
  await rebase(write, folder, path, parent, parentPath)
  const after = await listIndexed(write, team, `${parentPath}${folder}/`, null)
  const moved = new Map(after.map((document) => [document.id, document]))
  for (const document of before) index.replace(document, moved.get(document.id)!)
}

/** Hangs a folder below another one: it and all below it, in the bin or not, get the paths that follow from that. */
export async function rebase(
  write: Write,
  folder: FolderKey,
  path: string,
  parent: FolderKey,
  parentPath: string,
): Promise<void> {
  const { start, end } = pathRange(path)
  const below = await write
    .selectFrom('folder')
    .where('path', '>=', start)
    .where('path', '<', end)
    .select('path')
    .execute()
  const deepest = Math.max(...below.map((row) => readFolderPath(row.path).length))
  refuseTooDeep(parentPath, deepest - readFolderPath(path).length + 1)
  await write.updateTable('folder').set({ parent_id: parent }).where('id', '=', folder).execute()
  await write
    .updateTable('folder')
    .set(({ ref }) => ({
      path: sql<string>`${`${parentPath}${folder}/`} || substr(${ref('path')}, ${sql.lit(path.length + 1)})`,
    }))
    .where('path', '>=', start)
    .where('path', '<', end)
    .execute()
}
