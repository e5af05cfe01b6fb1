import { ALL_SCOPES, type DocumentId, type GraphContent, type TeamId, type UserId } from '@meadow/contract'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createCatalogue } from '@meadow/server/src/catalogue/catalogue.ts'
import { createSolveStore } from '@meadow/server/src/features/solves/solves.store.ts'
import type { BlobStore } from '@meadow/server/src/platform/blobs/blobs.ts'
import { type DatabaseLocation, openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { storeContentBytes } from '@meadow/server/src/team-writes/content-blobs.ts'
import { addMember, type SignedInMember } from '../../live/edited-team.ts'
import { longLists } from '../../solutions/graphs.ts'
import { storeSolution } from '../../solutions/solved-team.ts'
import { createContent } from '../../team/graph-content.ts'
import { createRandom } from '../../team/random.ts'

/** A document that is edited, with the nodes that are renamed. */
export interface EditedDocument {
  id: DocumentId
  nodes: string[]
}

/** The team whose documents are read, edited and solved. */
export interface WorkingTeam {
  id: TeamId
  /** A token with all scopes. */
  token: string
  owner: SignedInMember
  /** A member who is removed and made a member again. */
  guest: SignedInMember
  /** Documents that never change, with solutions: one in the database, one in the blob store. */
  unchanged: DocumentId[]
  /** Each is edited by one client. */
  alone: EditedDocument[]
  /** Edited by several clients at once. */
  shared: EditedDocument
  /** A document that the guest edits. */
  guests: EditedDocument
  solved: DocumentId[]
  /** Makes the guest a member again. */
  readmit(user: UserId): Promise<void>
  close(): Promise<void>
}

const CREDITS = 10_000_000
const EDITED_BYTES = 20_000
/** Of documents that are in the database, and in the blob store. */
const UNCHANGED_BYTES = [20_000, 400_000]
/** Of the body of each of their solutions, compressed. */
const SOLUTION_BYTES = 300_000
const ALONE = 2
const SOLVED = 2

/** Creates the team in an empty database. */
export async function buildTeam(location: DatabaseLocation, blobs: BlobStore): Promise<WorkingTeam> {
  const database = await openDatabase(location)
  const catalogue = createCatalogue(database)
  const store = createSolveStore(database)
  const random = createRandom(7)
  const team = await catalogue.createTeam({ name: 'Cluster', credits: CREDITS })
  const root = (await catalogue.findFolder(team.key, 'root'))!
  const token = createTokenSecret()
  await catalogue.changeTeam(team.key, (change) =>
    change.createToken({ name: 'cluster', secret: token, scopes: ALL_SCOPES }),
  )

  async function addDocument(folder: string, name: string, bytes: Uint8Array) {
    const content = await storeContentBytes(blobs, bytes)
    return catalogue.changeTeam(team.key, async (change) => {
      const { key } = await change.ensureFolder(root.key, folder)
      return change.createDocument({ folder: key, name, createdAt: 0, updatedAt: 0, content })
    })
  }

  async function addEdited(name: string): Promise<EditedDocument> {
    const content = createContent(random, EDITED_BYTES)
    const { id } = await addDocument('Edited', name, content)
    return { id, nodes: Object.keys((JSON.parse(String(content)) as GraphContent).nodes) }
  }

  const unchanged: DocumentId[] = []
  for (const bytes of UNCHANGED_BYTES) {
    const { id, key } = await addDocument('Unchanged', `${bytes} bytes`, createContent(random, bytes))
    await storeSolution({ store, blobs }, team.key, key, SOLUTION_BYTES)
    unchanged.push(id)
  }
  const alone: EditedDocument[] = []
  for (let index = 0; index < ALONE; index++) alone.push(await addEdited(`Alone ${index}`))
  const solved: DocumentId[] = []
  for (let index = 0; index < SOLVED; index++) {
    const graph = Buffer.from(JSON.stringify(longLists(20 + index, 200)))
    solved.push((await addDocument('Solved', `Solved ${index}`, graph)).id)
  }
  return {
    id: team.id,
    token,
    owner: await addMember(database, location.dataDir, team.key, { name: 'Owner', role: 'owner' }),
    guest: await addMember(database, location.dataDir, team.key, { name: 'Guest' }),
    unchanged,
    alone,
    shared: await addEdited('Shared'),
    guests: await addEdited('Guests'),
    solved,
    async readmit(user) {
      await catalogue.changeTeam(team.key, (change) => change.setMember(user, 'member'))
    },
    close: () => database.close(),
  }
}
