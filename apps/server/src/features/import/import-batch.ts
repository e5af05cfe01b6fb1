import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalogue, ImportedDocument, ImportedItem, TeamChange } from '../../catalogue/catalogue.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { BoundedTasks } from '../../platform/concurrency/bounded-tasks.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import type { DefinitionParser } from './definition-parser.ts'
import type { ImportResult, OnConflict } from './import-result.ts'
import {
  type FileStats,
  type ImportRoot,
  isUnchanged,
  prepareFile,
  type StoredFile,
  storeFile,
  toFileStats,
} from './prepare-file.ts'
import type { Definition, WalkedFolder } from './walk-definitions.ts'
import { writeFile } from './write-file.ts'

/** How many files and folders are written in one transaction at most, which blocks other writers. */
const BATCH = 50

/** How many files are read concurrently, so that the disk and the parser work at the same time. */
const MAX_CONCURRENT_FILES = 4

/** The total size of the files that are read concurrently; a single file may be larger. */
const MAX_CONCURRENT_BYTES = 32 * 2 ** 20

export interface ImportTools {
  catalogue: Catalogue
  blobs: BlobStore
  parser: DefinitionParser
}

export interface BatchRequest extends ImportRoot {
  team: TeamKey
  onConflict: OnConflict
  signal: AbortSignal
  onResult: (result: ImportResult) => void
}

/**
 * Collects what the walk finds. When the batch is full, it finds the folders, prepares the files that have changed, and
 * writes all of them in one transaction.
 */
export class ImportBatch {
  readonly #tools: ImportTools
  readonly #request: BatchRequest
  /** The team's folder for each folder on the disk, as long as the walk is in that folder. */
  readonly #keys = new WeakMap<WalkedFolder, FolderKey>()
  #folders: WalkedFolder[] = []
  #definitions: Definition[] = []
  #foldersCreated = 0

  constructor(tools: ImportTools, request: BatchRequest) {
    this.#tools = tools
    this.#request = request
  }

  get foldersCreated(): number {
    return this.#foldersCreated
  }

  async add(found: { kind: 'folder'; folder: WalkedFolder } | Definition): Promise<void> {
    if (found.kind === 'folder') this.#folders.push(found.folder)
    else this.#definitions.push(found)
    if (this.#folders.length + this.#definitions.length >= BATCH) await this.finish()
  }

  /** Imports what was added. Nothing is written when nothing has changed. */
  async finish(): Promise<void> {
    const newFolders = await this.#findFolders()
    const files = await this.#prepareFiles()
    this.#folders = []
    this.#definitions = []
    if (newFolders.length === 0 && files.length === 0) return
    const { folders, foldersCreated, results } = await this.#tools.catalogue.changeTeam(
      this.#request.team,
      (change) => this.#write(change, newFolders, files),
    )
    for (const [folder, key] of folders) this.#keys.set(folder, key)
    this.#foldersCreated += foldersCreated
    results.forEach(this.#request.onResult)
  }

  /** Looks up the team's folders, and returns those that do not exist yet. */
  async #findFolders(): Promise<WalkedFolder[]> {
    for (const folder of this.#folders) {
      const key = await this.#findFolder(folder)
      if (key !== undefined) this.#keys.set(folder, key)
    }
    return this.#folders.filter((folder) => !this.#keys.has(folder))
  }

  async #findFolder({ name, parent }: WalkedFolder): Promise<FolderKey | undefined> {
    if (!parent) return this.#request.target
    const parentKey = this.#keys.get(parent)
    return parentKey && (await this.#tools.catalogue.findChildFolder(parentKey, name))?.key
  }

  /** Returns the files to be written, and reports the results of the others. */
  async #prepareFiles(): Promise<StoredFile[]> {
    const paths = this.#definitions.map(({ path }) => path)
    const imported = byPath(await this.#tools.catalogue.findImported(this.#request.target, paths))
    const files: StoredFile[] = []
    await using tasks = new BoundedTasks(MAX_CONCURRENT_FILES, MAX_CONCURRENT_BYTES)
    for (const definition of this.#definitions) {
      if (this.#request.signal.aborted) break
      const { path } = definition
      const previous = imported.get(path)
      const stats = await this.#orReport(path, () => this.#readStats(path))
      if (!stats) continue
      if (previous && isUnchanged(stats, this.#request, previous)) {
        this.#request.onResult({ path, outcome: 'unchanged', documentId: previous.id })
        continue
      }
      await tasks.start(stats.sizeBytes, async () => {
        const file = await this.#orReport(path, () =>
          prepareFile(this.#tools.parser, this.#request, definition, previous),
        )
        if (file) files.push(await storeFile(this.#tools, file))
      })
    }
    await tasks.finish()
    return files.sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)
  }

  async #readStats(path: string): Promise<FileStats> {
    return toFileStats(await stat(join(this.#request.from, path)))
  }

  /** Reports an error of `work` as the result of the file, unless the import is being stopped. */
  async #orReport<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      const { signal, onResult } = this.#request
      if (!signal.aborted) onResult({ path, outcome: 'failed', reason: reasonOf(error) })
      return undefined
    }
  }

  /** Looks up all documents again in the transaction, which may be repeated: another import may have changed them. */
  async #write(change: TeamChange, newFolders: readonly WalkedFolder[], files: readonly StoredFile[]) {
    const folders = new Map<WalkedFolder, FolderKey>()
    const keyOf = (folder: WalkedFolder) => (folders.get(folder) ?? this.#keys.get(folder))!
    let foldersCreated = 0
    for (const folder of newFolders) {
      const { key, isNew } = await change.ensureFolder(keyOf(folder.parent!), folder.name)
      folders.set(folder, key)
      if (isNew) foldersCreated++
    }
    const paths = files.map(({ source }) => source.path)
    const imported = byPath(await change.findImported(this.#request.target, paths))
    const { onConflict, force } = this.#request
    const options = { blobs: this.#tools.blobs, onConflict, force }
    const results: ImportResult[] = []
    for (const file of files) {
      const current = imported.get(file.source.path)
      results.push(await writeFile(change, keyOf(file.folder), file, current, options))
    }
    return { folders, foldersCreated, results }
  }
}

const byPath = (items: readonly ImportedItem[]): Map<string, ImportedDocument> =>
  new Map(items.flatMap((item) => (item.kind === 'document' && item.bin === null ? [[item.path, item]] : [])))
