import type { DocumentId, GraphContent, TeamId, UserId } from '@meadow/contract'
import { setMember } from '@meadow/server/src/access/members.ts'
import type { BlobStore } from '@meadow/server/src/platform/blobs/blobs.ts'
import type { DatabaseLocation } from '@meadow/server/src/platform/database/open-database.ts'
import { changeTeam } from '@meadow/server/src/team/team-transaction.ts'
import { createRandom } from '@meadow/server/src/testing/random.ts'
import { createTeam, openStores, type SignedInMember, storeValues } from '../../harness/teams.ts'
import { longLists } from '../../solutions/graphs.ts'
import { createContent } from '../../team/graph-content.ts'

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
  /** A member who is removed or made a viewer, and made a member again. */
  guest: SignedInMember
  /** A viewer, whose copy of a document is never stored. */
  viewer: SignedInMember
  /** Documents that never change, with solutions: one in the database, one in the blob store. */
  unchanged: DocumentId[]
  /** The documents that are each edited by one client. */
  alone: EditedDocument[]
  /** The document that several clients edit at once. */
  shared: EditedDocument
  /** A document that the guest edits. */
  guests: EditedDocument
  /** A document that one client edits and nobody reads: other servers hear of its edits only because they are told. */
  watched: EditedDocument
  /** A document that clients open through all servers and leave at the same time. */
  visited: EditedDocument
  solved: DocumentId[]
  /** Makes the guest a member again, and all sessions freshly signed in, as the owner has to be who removes them. */
  readmit(user: UserId): Promise<void>
  /** Makes all servers check their connections again, as any change of a membership does. */
  stir(): Promise<void>
  close(): Promise<void>
}

/** The sizes of what a team has, in bytes unless something else is said. */
export interface TeamSizes {
  edited: number
  /** The documents that never change: one is in the database, and one in the blob store. */
  unchanged: readonly number[]
  /** The compressed body of the solution of each of these. */
  solution: number
  /** The numbers of lists, and of their items, in the documents that are solved. */
  lists: number
  items: number
}

const SIZES: TeamSizes = {
  ...{ edited: 20_000, unchanged: [20_000, 400_000], solution: 300_000 },
  ...{ lists: 300, items: 500 },
}
const ALONE = 2
const SOLVED = 2

/** Creates the team in an empty database. */
export async function buildTeam(
  location: DatabaseLocation,
  blobs: BlobStore,
  sizes: TeamSizes = SIZES,
): Promise<WorkingTeam> {
  const stores = await openStores(location, blobs)
  const random = createRandom(7)
  const team = await createTeam(stores, 'Cluster')

  async function addEdited(name: string): Promise<EditedDocument> {
    const content = createContent(random, sizes.edited)
    const { id } = await team.addDocument(name, content, { folder: 'Edited' })
    return { id, nodes: Object.keys((JSON.parse(String(content)) as GraphContent).nodes) }
  }

  const unchanged: DocumentId[] = []
  for (const bytes of sizes.unchanged) {
    const content = createContent(random, bytes)
    const { id, key } = await team.addDocument(`${bytes} bytes`, content, { folder: 'Unchanged' })
    await storeValues(stores, team, key, sizes.solution)
    unchanged.push(id)
  }
  const alone: EditedDocument[] = []
  for (let index = 0; index < ALONE; index++) alone.push(await addEdited(`Alone ${index}`))
  const solved: DocumentId[] = []
  for (let index = 0; index < SOLVED; index++) {
    const graph = longLists(sizes.lists + index, sizes.items)
    solved.push((await team.addDocument(`Solved ${index}`, graph, { folder: 'Solved' })).id)
  }
  return {
    id: team.id,
    token: team.token,
    owner: await team.addMember('Owner', 'owner'),
    guest: await team.addMember('Guest'),
    viewer: await team.addMember('Viewer', 'viewer'),
    unchanged,
    alone,
    shared: await addEdited('Shared'),
    guests: await addEdited('Guests'),
    watched: await addEdited('Watched'),
    visited: await addEdited('Visited'),
    solved,
    async readmit(user) {
      await changeTeam(stores.database, team.key, async (change) => {
        await setMember(change, user, 'member')
        await change.write.updateTable('session').set({ provedAt: Date.now() }).execute()
      })
    },
    stir: () =>
      stores.database.transaction(async (write) => {
        await write
          .updateTable('membership')
          .set({ role: 'viewer' })
          .where('user_id', '=', '' as UserId)
          .execute()
      }),
    close: () => stores.database.close(),
  }
}
