import type { Requester, ResourceAccess } from '../../access/resource-access.store.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { HttpError } from '../http-error.ts'

/** The folder of the same team that something is to go to. Refuses one that is not there, or of another team. */
export async function findTarget(
  places: Pick<ResourceAccess, 'findFolder'>,
  asker: Requester,
  team: TeamKey,
  id: string,
): Promise<FolderKey> {
  const target = await places.findFolder(asker, id)
  if (!target || target.role === null) throw new HttpError('folder_not_found')
  if (target.team !== team) throw new HttpError('folder_of_another_team')
  return target.folder
}
