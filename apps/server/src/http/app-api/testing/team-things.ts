import { putFolderIntoBin } from '../../../library/bin.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import type { TeamRecord } from '../../../team/teams.ts'
import { createUserObjectFile } from '../../../testing/library-files.ts'
import type { Signed, WebApp } from '../../../testing/start-web-app.ts'

/** Makes what the first parameter of a path names, by the name of the parameter: new with each call. */
export const createThings = (
  { fixtures, database }: Pick<WebApp, 'fixtures' | 'database'>,
  team: TeamRecord,
  owner: Signed,
): Record<string, () => Promise<string>> => ({
  teamId: async () => team.id,
  folderId: async () => (await fixtures.folder(team, `Folder ${Math.random()}`)).id,
  documentId: () => fixtures.document(team),
  async fileId() {
    const path = `/folders/${(await fixtures.root(team)).id}/uploads?fileName=${Math.random()}.ghuser`
    const init = { headers: { 'content-type': 'application/octet-stream' } }
    return (await owner.request('POST', path, createUserObjectFile(), init)).json.upload.fileId
  },
  async binItemId() {
    const { key } = await fixtures.folder(team, `Binned ${Math.random()}`)
    return changeTeam(database, team.key, (change) => putFolderIntoBin(change, key, owner.userId))
  },
})

/** The path of a route about a thing of `things`; what further parameters name does not exist. */
export async function fillPath(path: string, things: Record<string, () => Promise<string>>): Promise<string> {
  const name = /:(\w+)/.exec(path)?.[1]
  const id = name === undefined ? '' : ((await things[name]?.()) ?? 'nothing')
  return path.replace(`:${name}`, id).replaceAll(/:\w+/g, 'nothing')
}
