import { ALL_SCOPES } from '@meadow/contract'
import { createTokenSecret } from '../../access/tokens.ts'
import type { Catalogue, FolderRecord, TeamChange, TeamRecord } from '../../catalogue/catalogue.ts'
import { storeContent } from '../../catalogue/store-content.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createDemoTree, type DemoFolder } from './demo-tree.ts'

const NAME = 'Atelier Meadow (demo)'
const TOKEN_LIFETIME_DAYS = 30

/** The demo team and a token for it, as shown when the server starts. */
export interface DemoAccess {
  team: TeamRecord
  /** The secret of a token made for this start; earlier ones stay valid until they expire. */
  token: string
}

/**
 * The demo team with a new token. Makes the team when the database has no team at all; undefined when there are
 * teams and none of them is the demo: a host of real teams gets no example among them.
 */
export async function openDemoTeam(
  catalogue: Catalogue,
  blobs: BlobStore,
  say: (text: string) => void,
): Promise<DemoAccess | undefined> {
  const teams = await catalogue.listTeams()
  const team =
    teams.find(({ name }) => name === NAME) ??
    (teams.length === 0 && (await catalogue.createTeam({ name: NAME })))
  if (!team) return undefined
  await fillOnce(catalogue, blobs, team, say)

  const token = createTokenSecret()
  const expiresAt = Date.now() + TOKEN_LIFETIME_DAYS * 86_400_000
  await catalogue.changeTeam(team.key, (change) =>
    change.createToken({ name: 'Demo', secret: token, scopes: ALL_SCOPES, expiresAt }),
  )
  return { team, token }
}

/** All of it in one transaction, so that a start that is cut off leaves an empty team, which the next one fills. */
async function fillOnce(
  catalogue: Catalogue,
  blobs: BlobStore,
  team: TeamRecord,
  say: (text: string) => void,
): Promise<void> {
  const root = await catalogue.findFolder(team.key, 'root')
  const tree = createDemoTree(Date.now())
  if (!root || (await catalogue.findChildFolder(root.key, tree.folders[0]!.name))) return
  say('First start: making a demo team with example definitions …')
  await catalogue.changeTeam(team.key, (change) => fill(change, blobs, root, tree))
}

async function fill(
  change: TeamChange,
  blobs: BlobStore,
  folder: FolderRecord,
  tree: DemoFolder,
): Promise<void> {
  for (const { createContent, leaveUnsolved: _, ...facts } of tree.documents) {
    const content = await storeContent(blobs, createContent())
    await change.createDocument({ ...facts, folder: folder.key, content })
  }
  for (const child of tree.folders) {
    await fill(change, blobs, await change.ensureFolder(folder.key, child.name), child)
  }
}
