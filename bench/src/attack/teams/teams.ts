import { join } from 'node:path'
import { ALL_SCOPES, type DocumentId, type FolderId, type GraphContent } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createCatalogue } from '@meadow/server/src/catalogue/catalogue.ts'
import { createSolveStore } from '@meadow/server/src/features/solves/solves.store.ts'
import { openDiskBlobs } from '@meadow/server/src/platform/blobs/disk.ts'
import { type DatabaseLocation, openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { storeContentBytes } from '@meadow/server/src/team-writes/content-blobs.ts'
import { addMember } from '../../live/edited-team.ts'
import { longLists } from '../../solutions/graphs.ts'
import { storeSolution } from '../../solutions/solved-team.ts'
import { createContent } from '../../team/graph-content.ts'
import { createRandom } from '../../team/random.ts'
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

const CREDITS = 1_000_000
const EDITED_BYTES = 50_000
export const QUEUE = 60

/** Creates an attacking team and a bystander in an empty database. */
export async function buildAttackedTeams(
  location: DatabaseLocation,
  { hostile, versionedBytes }: { hostile: number; versionedBytes?: number | undefined },
): Promise<AttackedTeams> {
  const database = await openDatabase(location)
  const blobs = await openDiskBlobs(join(location.dataDir, 'blobs'))
  const catalogue = createCatalogue(database)
  const store = createSolveStore(database)
  const random = createRandom(10)

  async function openTeam(name: string) {
    const team = await catalogue.createTeam({ name, credits: CREDITS })
    const root = (await catalogue.findFolder(team.key, 'root'))!
    const token = createTokenSecret()
    await catalogue.changeTeam(team.key, (change) =>
      change.createToken({ name: 'attack', secret: token, scopes: ALL_SCOPES }),
    )
    /** In a folder of its own, so that reads of other folders stay the same to the byte. */
    async function addDocument(folder: string, document: string, bytes: Uint8Array, isPublic = false) {
      const content = await storeContentBytes(blobs, bytes)
      const visibility = isPublic ? 'public' : 'private'
      return catalogue.changeTeam(team.key, async (change) => {
        const { key } = await change.ensureFolder(root.key, folder)
        return change.createDocument({
          ...{ folder: key, name: document, createdAt: 0, updatedAt: 0, content, visibility },
        })
      })
    }
    async function addSolved(document: string, bytes: number): Promise<DocumentId> {
      const { id, key } = await addDocument('Read', document, createContent(random, bytes))
      await storeSolution({ store, blobs }, team.key, key, bytes)
      return id
    }
    const edited = createContent(random, EDITED_BYTES)
    const uploads = await catalogue.changeTeam(team.key, (change) => change.ensureFolder(root.key, 'Uploads'))
    const working: WorkingTeam = {
      token,
      cookie: (await addMember(database, location.dataDir, team.key, { name })).cookie,
      read: await addSolved('Read', 20_000),
      solved: (await addDocument('Solved', 'Solved', json(longLists(10, 100)))).id,
      edited: {
        id: (await addDocument('Edited', 'Edited', edited)).id,
        nodes: Object.keys((JSON.parse(String(edited)) as GraphContent).nodes),
      },
      uploads: uploads.id,
    }
    return { working, addDocument, addSolved }
  }

  try {
    const bystander = await openTeam('Bystander')
    const attacker = await openTeam('Attacker')
    const sizes = Object.entries(LARGE_SIZES)
    const large: [string, DocumentId][] = []
    for (const [name, bytes] of sizes) large.push([name, await attacker.addSolved(name, bytes)])
    const publicDocument = await attacker.addDocument(
      'Public',
      'Public',
      createContent(random, LARGE_SIZES['1 MB']),
      true,
    )
    const queue = json(longLists(1000, 500))
    const list = async (count: number, name: string, bytes: (index: number) => Uint8Array) => {
      const ids: DocumentId[] = []
      for (let index = 0; index < count; index++)
        ids.push((await attacker.addDocument(name, `${name} ${index}`, bytes(index))).id)
      return ids
    }
    return {
      bystander: bystander.working,
      attacker: {
        ...attacker.working,
        large: Object.fromEntries(large) as AttackingTeam['large'],
        publicDocument: publicDocument.id,
        queue: await list(QUEUE, 'Queue', () => queue),
        versioned:
          versionedBytes === undefined
            ? undefined
            : (await attacker.addDocument('Versioned', 'Versioned', createContent(random, versionedBytes)))
                .id,
        hostile: await list(hostile, 'Hostile', (index) => json(createHostileGraph(index))),
      },
    }
  } finally {
    await database.close()
  }
}

const json = (graph: GraphContent): Uint8Array => Buffer.from(JSON.stringify(graph))

export const uploadPath = ({ uploads }: WorkingTeam, fileName: string): string =>
  `${APP_PREFIX}/folders/${uploads}/uploads?fileName=${encodeURIComponent(fileName)}&onConflict=replace`
