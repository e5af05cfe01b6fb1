import type { Write } from '../platform/database/database.ts'
import { readName } from '../platform/database/names.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { noteCredits } from './add-credits.ts'
import { createFolder } from './create-folder.ts'
import type { NewTeam, TeamRecord } from './records.ts'
import { TEAM_COLUMNS } from './selections.ts'

/** Another team has the host name already. */
export class HostTakenError extends Error {
  constructor(host: string) {
    super(`Another team has the host name "${host}".`)
  }
}

/** What the root folder is called: nobody sees it, the team's name is shown instead (contract, part 2). */
const ROOT_NAME = 'root'

/** A team with its root folder. */
export async function createTeam(write: Write, { name, host, credits = 0 }: NewTeam): Promise<TeamRecord> {
  if (host !== undefined && (await isHostTaken(write, host))) throw new HostTakenError(host)
  const team = await write
    .insertInto('team')
    .values({
      public_id: createPublicId('team'),
      name: readName(name),
      host: host ?? null,
      credits,
      created_at: Date.now(),
    })
    .returning(TEAM_COLUMNS)
    .executeTakeFirstOrThrow()
  await createFolder(write, team.key, undefined, ROOT_NAME)
  await noteCredits(write, team.key, credits)
  return team
}

/** Whether a team, but for this one, has the host name. */
export async function isHostTaken(write: Write, host: string, but?: TeamKey): Promise<boolean> {
  const team = await write.selectFrom('team').where('host', '=', host).select('id').executeTakeFirst()
  return team !== undefined && team.id !== but
}
