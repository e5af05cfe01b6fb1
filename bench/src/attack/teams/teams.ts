import type { DocumentId, FolderId, GraphContent } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { ensureFolder } from '@meadow/server/src/library/folders.ts'
import type { DatabaseLocation } from '@meadow/server/src/platform/database/open-database.ts'
import { changeTeam } from '@meadow/server/src/team/team-transaction.ts'
import { createRandom, type Random } from '@meadow/server/src/testing/random.ts'
import { createTeam, openStores, type Stores, storeValues } from '../../harness/teams.ts'
import { longLists } from '../../solutions/graphs.ts'
import { createContent } from '../../team/graph-content.ts'
import { createHostileGraph } from './hostile-graphs.ts'

/** The token, session and documents with which a team works. */
export interface WorkingTeam {
  token: string
  /** The cookie of a member's session. */
  cookie: string
  /** A document that never changes, with a solution. */
  read: DocumentId
  /** A document that is solved repeatedly. */
  solved: DocumentId
  /** A document that is edited, at these nodes. */
  edited: { id: DocumentId; nodes: string[] }
  uploads: FolderId
}

/** The sizes of large documents, and of the stored bodies of their solutions. */
export const LARGE_SIZES = { '80 KB': 80_000, '1 MB': 1e6, '10 MB': 1e7 } as const
export type LargeSize = keyof typeof LARGE_SIZES

export interface AttackingTeam extends WorkingTeam {
  large: Record<LargeSize, DocumentId>
  /** A public document of a megabyte. */
  publicDocument: DocumentId
  /** Ordinary documents that take a while to solve. */
  queue: DocumentId[]
  hostile: DocumentId[]
  /** A document whose versions are kept and restored; undefined unless an attack asks for one. */
  versioned: DocumentId | undefined
}

export interface AttackedTeams {
  attacker: AttackingTeam
  bystander: WorkingTeam
}

const EDITED_BYTES = 50_000
export const QUEUE = 60

/** How many documents the attacking team has. */
export interface AttackedDocuments {
  hostile: number
  /** The number of documents that take a while to solve: `QUEUE` by default. */
  queued?: number | undefined
  /** The length of a document whose versions are kept and restored, in bytes. */
  versionedBytes?: number | undefined
}

/** Creates an attacking team and a bystander in an empty database. */
export async function buildAttackedTeams(
  location: DatabaseLocation,
  { hostile, queued = QUEUE, versionedBytes }: AttackedDocuments,
): Promise<AttackedTeams> {
  await using stores = await openStores(location)
  const random = createRandom(10)
  const { working: bystander } = await openTeam(stores, 'Bystander', random)
  const { working, team, addSolved } = await openTeam(stores, 'Attacker', random)
  const large: [string, DocumentId][] = []
  for (const [name, bytes] of Object.entries(LARGE_SIZES)) large.push([name, await addSolved(name, bytes)])
  const add = async (folder: string, name: string, content: GraphContent | Uint8Array, isPublic = false) =>
    (await team.addDocument(name, content, { folder, isPublic })).id
  const list = async (count: number, name: string, graph: (index: number) => GraphContent) => {
    const ids: DocumentId[] = []
    for (let index = 0; index < count; index++) ids.push(await add(name, `${name} ${index}`, graph(index)))
    return ids
  }
  const slow = longLists(1000, 500)
  return {
    bystander,
    attacker: {
      ...working,
      large: Object.fromEntries(large) as AttackingTeam['large'],
      publicDocument: await add('Public', 'Public', createContent(random, LARGE_SIZES['1 MB']), true),
      queue: await list(queued, 'Queue', () => slow),
      versioned:
        versionedBytes === undefined
          ? undefined
          : await add('Versioned', 'Versioned', createContent(random, versionedBytes)),
      hostile: await list(hostile, 'Hostile', createHostileGraph),
    },
  }
}

/**
 * Creates a team that works. Its documents are in folders of their own, so that reads of others stay the same to the
 * byte.
 */
async function openTeam(stores: Stores, name: string, random: Random) {
  const team = await createTeam(stores, name)
  async function addSolved(document: string, bytes: number): Promise<DocumentId> {
    const { id, key } = await team.addDocument(document, createContent(random, bytes), { folder: 'Read' })
    await storeValues(stores, team, key, bytes)
    return id
  }
  const edited = createContent(random, EDITED_BYTES)
  const uploads = await changeTeam(stores.database, team.key, (change) =>
    ensureFolder(change, team.root.key, 'Uploads'),
  )
  const working: WorkingTeam = {
    token: team.token,
    cookie: (await team.addMember(name)).cookie,
    read: await addSolved('Read', 20_000),
    solved: (await team.addDocument('Solved', longLists(10, 100), { folder: 'Solved' })).id,
    edited: {
      id: (await team.addDocument('Edited', edited, { folder: 'Edited' })).id,
      nodes: Object.keys((JSON.parse(String(edited)) as GraphContent).nodes),
    },
    uploads: uploads.id,
  }
  return { working, team, addSolved }
}

export const uploadPath = ({ uploads }: WorkingTeam, fileName: string): string =>
  `${APP_PREFIX}/folders/${uploads}/uploads?fileName=${encodeURIComponent(fileName)}&onConflict=replace`
