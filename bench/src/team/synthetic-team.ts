import { join } from 'node:path'
import { ALL_SCOPES, type DocumentId, type FolderId } from '@meadow/contract'
import { createToken } from '@meadow/server/src/access/team-tokens.ts'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createDocument } from '@meadow/server/src/library/documents.ts'
import { ensureFolder, findFolder } from '@meadow/server/src/library/folders.ts'
import type { BlobStore } from '@meadow/server/src/platform/blobs/blobs.ts'
import { openDiskBlobs } from '@meadow/server/src/platform/blobs/disk.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { type NewContent, storeContentBytes } from '@meadow/server/src/team/content-blobs.ts'
import type { FolderRecord } from '@meadow/server/src/team/folders.ts'
import { changeTeam, type TeamTransaction } from '@meadow/server/src/team/team-transaction.ts'
import { createTeam } from '@meadow/server/src/team/teams.ts'
import { createRandom, type Random } from '@meadow/server/src/testing/random.ts'
import { createContent, EMPTY_CONTENT } from './graph-content.ts'
import { documentName, folderName } from './names.ts'

/** The facts about a created team that benchmarks need. */
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
const SMALL = { bytes: 4_900, selected: 200 }
const LARGE = { bytes: 2 ** 20, selected: 20 }
const SELECTED_NAMES = 1_000
const NEWEST = Date.UTC(2026, 10, 1)
const THREE_YEARS_MS = 3 * 365 * 24 * 3600 * 1000

/** The store of a team. */
export interface Location {
  dataDir: string
  databaseUrl?: string | undefined
}

/**
 * Creates a team of this size with the functions of the server. The result is deterministic, except for ids and times of creation.
 */
export async function buildTeam(
  location: Location,
  documents: number,
  onProgress: (done: number) => void,
): Promise<SyntheticTeam> {
  const opened = await openDatabase(location)
  try {
    const blobs = await openDiskBlobs(join(location.dataDir, 'blobs'))
    // The times of the documents are in no order, so the search index is made at the end.
    const database = {
      ...opened,
      searchIndex: { ...opened.searchIndex, apply: async () => {} },
    }
    const { key } = await createTeam(database, { name: `Bench ${documents}` })
    const secret = createTokenSecret()
    await changeTeam(database, key, (change) =>
      createToken(change, { name: 'bench', secret, scopes: ALL_SCOPES }),
    )
    const root = (await findFolder(database.read, key, 'root'))!

    const random = createRandom(documents)
    const builder = new TeamBuilder(random, documents, blobs)
    const planned = parentsFirst(planFolders(random, documents))
    const records = new Map<PlannedFolder, FolderRecord>()
    const folders = planned.values()
    let next = folders.next()
    while (!next.done) {
      await changeTeam(database, key, async (change) => {
        const until = builder.documentsCreated + DOCUMENTS_PER_TRANSACTION
        while (!next.done && builder.documentsCreated < until) {
          const { folder, parent } = next.value
          const record = parent ? await ensureFolder(change, records.get(parent)!.key, folder.name) : root
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
    await opened.close()
  }
}

/** Creates documents, and selects the ones that are measured. */
class TeamBuilder {
  documentsCreated = 0
  readonly selected = {
    smallDocuments: [] as DocumentId[],
    largeDocuments: [] as DocumentId[],
    names: [] as string[],
  }
  readonly #random: Random
  readonly #documents: number
  readonly #blobs: BlobStore

  constructor(random: Random, documents: number, blobs: BlobStore) {
    this.#random = random
    this.#documents = documents
    this.#blobs = blobs
  }

  async fill(change: TeamTransaction, folder: FolderRecord, documents: number): Promise<void> {
    for (let count = 0; count < documents; count++) {
      const name = documentName(this.#random)
      const updatedAt = NEWEST - this.#random.whole(0, THREE_YEARS_MS)
      const kind = this.#kindOfNext()
      const content = await this.#contentOf(kind)
      const { id } = await createDocument(change, {
        folder: folder.key,
        name,
        createdAt: updatedAt,
        updatedAt,
        content,
      })
      if (kind === 'small') this.selected.smallDocuments.push(id)
      if (kind === 'large') this.selected.largeDocuments.push(id)
      if (this.#isSelected(SELECTED_NAMES)) this.selected.names.push(name)
      this.documentsCreated++
    }
  }

  #kindOfNext(): 'small' | 'large' | 'empty' {
    if (this.#isSelected(LARGE.selected)) return 'large'
    return this.#isSelected(SMALL.selected) ? 'small' : 'empty'
  }

  #isSelected(count: number): boolean {
    return this.documentsCreated % Math.max(1, Math.floor(this.#documents / count)) === 0
  }

  async #contentOf(kind: 'small' | 'large' | 'empty'): Promise<NewContent> {
    if (kind === 'empty') return { kind: 'inline', bytes: EMPTY_CONTENT }
    return storeContentBytes(
      this.#blobs,
      createContent(this.#random, kind === 'small' ? SMALL.bytes : LARGE.bytes),
    )
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

/** The maximum number of documents in a folder; a folder with more gets sub-folders. */
const MAX_DOCUMENTS = 45

/**
 * Plans a folder tree like those of real teams: projects of very different sizes, and some documents on every level.
 */
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
