import type { FolderReference } from '@meadow/contract'
import { sql } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { FolderKey, Tables, TeamKey } from '../platform/database/tables.ts'

/**
 * The folders from the root down to this one, itself included, with the team's name for the root's (contract, part 2).
 * Empty when the team has no such folder, or has it in the bin.
 */
export async function readAncestors(
  read: Pick<ReadonlyKysely<Tables>, 'withRecursive'>,
  { team, teamName }: { team: TeamKey; teamName: string },
  folder: FolderKey,
): Promise<FolderReference[]> {
  const rows = await read
    .withRecursive('lineage', (db) =>
      db
        .selectFrom('folder')
        .where('id', '=', folder)
        .where('team_id', '=', team)
        .where('bin_id', 'is', null)
        .select(['id', 'parent_id', 'public_id', 'name', sql<number>`0`.as('height')])
        .unionAll(
          db
            .selectFrom('lineage')
            .innerJoin('folder', 'folder.id', 'lineage.parent_id')
            .select([
              'folder.id',
              'folder.parent_id',
              'folder.public_id',
              'folder.name',
              sql<number>`lineage.height + 1`.as('height'),
            ]),
        ),
    )
    .selectFrom('lineage')
    .orderBy('height', 'desc')
    .select(['public_id as id', 'name', 'parent_id as parent'])
    .execute()
  return rows.map(({ id, name, parent }) => ({ id, name: parent === null ? teamName : name }))
}
