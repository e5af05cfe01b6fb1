import { join } from 'node:path'
import { ALL_SCOPES, type DocumentId, type FolderId } from '@meadow/contract'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createCatalogue, type FolderRecord } from '@meadow/server/src/catalogue/catalogue.ts'
import { openDiskBlobs } from '@meadow/server/src/platform/blobs/disk.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { folderName } from './names.ts'
import { createRandom, type Random } from './random.ts'
import { TeamBuilder } from './team-builder.ts'

/** A created team, as far as benchmarks need to know it. */
export interface SyntheticTeam {
  documents: number
  folders: number
  /** A token with every scope. */
  secret: string
  /** Folders with 20 to 60 children, spread over the tree. */
  typicalFolders: FolderId[]
  /** Documents of about 5 KB, spread over the tree. */
  smallDocuments: DocumentId[]
  /** Documents of about 1 MB. */
  largeDocuments: DocumentId[]
  /** The largest folder below the root, and one further down with at least a hundred documents below it. */
  subtrees: { folder: FolderId; documents: number }[]
  /** Some of the documents' names. */
  names: string[]
}

const TYPICAL_FOLDERS_WANTED = 500
const DOCUMENTS_PER_TRANSACTION = 2_000

/** The store of a team. */
export interface Location {
  dataDir: string
  databaseUrl?: string | undefined
}

/** Creates a team of this size through the catalogue. Deterministic, except for ids and times of creation. */
export async function buildTeam(
  location: Location,
  documents: number,
  onProgress: (done: number) => void,
): Promise<SyntheticTeam> {
  const database = await openDatabase(location)
  try {
    const blobs = await openDiskBlobs(join(location.dataDir, 'blobs'))
    // The times of the documents are in no order, so that the search index is made at the end.
    const catalogue = createCatalogue({
      ...database,
      searchIndex: { ...database.searchIndex, apply: async () => {} },
    })
    const { key } = await catalogue.createTeam({ name: `Bench ${documents}` })
    const secret = createTokenSecret()
    await catalogue.changeTeam(key, (change) =>
      change.createToken({ name: 'bench', secret, scopes: ALL_SCOPES }),
    )
    const root = (await catalogue.findFolder(key, 'root'))!

    const random = createRandom(documents)
    const builder = new TeamBuilder(random, documents, blobs)
    const planned = parentsFirst(planFolders(random, documents))
    const records = new Map<PlannedFolder, FolderRecord>()
    const folders = planned.values()
    let next = folders.next()
    while (!next.done) {
      await catalogue.changeTeam(key, async (change) => {
        const until = builder.documentsCreated + DOCUMENTS_PER_TRANSACTION
        while (!next.done && builder.documentsCreated < until) {
          const { folder, parent } = next.value
          const record = parent ? await change.ensureFolder(records.get(parent)!.key, folder.name) : root
          records.set(folder, record)
          await builder.fill(change, record, folder.documents)
          next = folders.next()
        }
      })
      onProgress(builder.documentsCreated)
    }
    await database.transaction((write) => database.searchIndex.rebuild(write))
    return {
      documents,
      folders: planned.length,
      secret,
      ...builder.selected,
      typicalFolders: pickEvenly(
        planned.map(({ folder }) => folder).filter(isTypical),
        TYPICAL_FOLDERS_WANTED,
      ).map((folder) => records.get(folder)!.id),
      subtrees: pickSubtrees(planned.map(({ folder }) => folder)).map((folder) => ({
        folder: records.get(folder)!.id,
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
  // The list grows while it is iterated.
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

/** A folder to create. */
export interface PlannedFolder {
  name: string
  /** The number of documents directly in it. */
  documents: number
  /** The number of documents in it and in all folders below. */
  documentsBelow: number
  folders: PlannedFolder[]
}

/** A folder with more documents gets sub-folders. */
const MAX_DOCUMENTS = 45

/** A folder tree like those of real teams: projects of very different sizes, and some documents on every level. */
export function planFolders(random: Random, documents: number, depth = 0, name = ''): PlannedFolder {
  if (documents <= MAX_DOCUMENTS) {
    return { name, documents, documentsBelow: documents, folders: [] }
  }
  const own = random.whole(2, 12)
  const count = Math.min(random.whole(12, 48), Math.ceil((documents - own) / 20))
  const weights = Array.from({ length: count }, () => 0.1 + random.fraction() ** 2)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = documents - own
  const folders = weights.map((weight, index) => {
    const isLast = index === count - 1
    const share = isLast ? left : Math.min(left, Math.round(((documents - own) * weight) / total))
    left -= share
    return planFolders(random, share, depth + 1, folderName(random, depth + 1, index))
  })
  return { name, documents: own, documentsBelow: documents, folders }
}
