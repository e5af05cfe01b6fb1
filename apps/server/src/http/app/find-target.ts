import type { Asker, PlaceStore } from '../../access/places.store.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { refuse } from '../refusal.ts'

/** The folder of the same team that something is to go to. Refuses one that is not there, or of another team. */
export async function findTarget(
  places: Pick<PlaceStore, 'findFolder'>,
  asker: Asker,
  team: TeamKey,
  id: string,
): Promise<FolderKey> {
  const target = await places.findFolder(asker, id)
  if (!target || target.role === null) throw refuse('folder_not_found')
  if (target.team !== team) throw refuse('folder_of_another_team')
  return target.folder
}
