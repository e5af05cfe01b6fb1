import { join } from 'node:path'
import { ALL_SCOPES, type DocumentId, type FolderId } from '@meadow/contract'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createCatalogue, type FolderRecord } from '@meadow/server/src/catalogue/catalogue.ts'
import { openDiskBlobs } from '@meadow/server/src/platform/blobs/disk.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { type PlannedFolder, planFolders } from './folder-tree.ts'
import { createRandom } from './random.ts'
import { TeamBuilder } from './team-builder.ts'

/** What a benchmark needs to know of a team that was made for it. */
export interface SyntheticTeam {
  documents: number
  folders: number
  /** A token with every scope. */
  secret: string
  /** Folders with 20 to 60 children, spread over the tree. */
  typicalFolders: FolderId[]
  /** Answered with about 5 KB, spread over the tree. */
  smallDocuments: DocumentId[]
  /** Answered with about 1 MB. */
  largeDocuments: DocumentId[]
  /** The largest folder below the root, and one further down with at least a hundred documents below it. */
  subtrees: { folder: FolderId; documents: number }[]
  /** Some of the documents' names. */
  names: string[]
}

const TYPICAL_FOLDERS_WANTED = 500
const DOCUMENTS_PER_TRANSACTION = 2_000

/** Where the team is stored. */
export interface Location {
  dataDir: string
  databaseUrl?: string | undefined
}

/** Makes a team of so many documents, the same one each time (ids and times of making aside), through the write side. */
export async function buildTeam(
  location: Location,
  documents: number,
  onProgress: (done: number) => void,
): Promise<SyntheticTeam> {
  const database = await openDatabase(location)
  try {
    const blobs = await openDiskBlobs(join(location.dataDir, 'blobs'))
    const catalogue = createCatalogue(database)
    const { key } = await catalogue.createTeam({ name: `Bench ${documents}` })
    const secret = createTokenSecret()
    await catalogue.changeTeam(key, (change) =>
      change.createToken({ name: 'bench', secret, scopes: ALL_SCOPES }),
    )
    const root = (await catalogue.findFolder(key, 'root'))!

    const random = createRandom(documents)
    const builder = new TeamBuilder(random, documents, blobs)
    const planned = parentsFirst(planFolders(random, documents))
    const made = new Map<PlannedFolder, FolderRecord>()
    const waiting = planned.values()
    let next = waiting.next()
    while (!next.done) {
      await catalogue.changeTeam(key, async (change) => {
        const until = builder.documentsMade + DOCUMENTS_PER_TRANSACTION
        while (!next.done && builder.documentsMade < until) {
          const { folder, parent } = next.value
          const record = parent ? await change.ensureFolder(made.get(parent)!.key, folder.name) : root
          made.set(folder, record)
          await builder.fill(change, record, folder.documents)
          next = waiting.next()
        }
      })
      onProgress(builder.documentsMade)
    }
    return {
      documents,
      folders: planned.length,
      secret,
      ...builder.found,
      typicalFolders: pickEvenly(
        planned.map(({ folder }) => folder).filter(isTypical),
        TYPICAL_FOLDERS_WANTED,
      ).map((folder) => made.get(folder)!.id),
      subtrees: pickSubtrees(planned.map(({ folder }) => folder)).map((folder) => ({
        folder: made.get(folder)!.id,
        documents: folder.documentsBelow,
      })),
    }
  } finally {
    await database.close()
  }
}

interface Planned {
  folder: PlannedFolder
  parent: PlannedFolder | undefined
}

function parentsFirst(root: PlannedFolder): Planned[] {
  const all: Planned[] = [{ folder: root, parent: undefined }]
  // The list grows while it is walked.
  for (const { folder } of all) {
    for (const child of folder.folders) all.push({ folder: child, parent: folder })
  }
  return all
}

function isTypical({ documents, folders }: PlannedFolder): boolean {
  const children = documents + folders.length
  return children >= 20 && children <= 60
}

function pickEvenly<T>(values: readonly T[], wanted: number): T[] {
  const step = Math.max(1, values.length / wanted)
  return Array.from(
    { length: Math.min(wanted, values.length) },
    (_, index) => values[Math.floor(index * step)]!,
  )
}

function pickSubtrees([root, ...folders]: readonly PlannedFolder[]): PlannedFolder[] {
  const bySize = folders.toSorted((a, b) => b.documentsBelow - a.documentsBelow)
  const small = bySize.findLast((folder) => folder.documentsBelow >= 100 && !root!.folders.includes(folder))
  return [bySize[0]!, ...(small ? [small] : [])]
}
