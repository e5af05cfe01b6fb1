import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalogue, ImportedDocument, TeamChange } from '../../catalogue/catalogue.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { BoundedTasks } from '../../platform/concurrency/bounded-tasks.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import type { DefinitionReader } from './definition-reader.ts'
import type { ImportResult } from './import-result.ts'
import { type KeptFile, keepFile } from './keep-file.ts'
import type { OnConflict } from './on-conflict.ts'
import { type ImportPlace, isUntouched, prepareFile } from './prepare-file.ts'
import { type FileFacts, readFacts } from './read-stable-file.ts'
import type { Definition, WalkedFolder } from './walk-definitions.ts'
import { writeFile } from './write-file.ts'

/** So many files and folders are written in one transaction at most: other writers wait meanwhile. */
const BATCH = 50

/** So many files are read at once, so that the disk and the reader work at the same time. */
const MAX_AT_ONCE = 4

/** Of large files, only so many that they have this size together; one file may be larger. */
const MAX_BYTES_AT_ONCE = 32 * 2 ** 20

export interface ImportTools {
  catalogue: Catalogue
  blobs: BlobStore
  reader: DefinitionReader
}

export interface BatchRequest extends ImportPlace {
  team: TeamKey
  onConflict: OnConflict
  signal: AbortSignal
  onResult: (result: ImportResult) => void
}

/** Collects what the walk finds, and imports it some dozens at a time. */
export class ImportBatch {
  readonly #tools: ImportTools
  readonly #request: BatchRequest
  /** The folder in the team for each folder on the disk that is being walked; the others are forgotten. */
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
    const missing = await this.#findFolders()
    const files = await this.#prepareFiles()
    this.#folders = []
    this.#definitions = []
    if (missing.length === 0 && files.length === 0) return
    const { folders, newFolders, results } = await this.#tools.catalogue.changeTeam(
      this.#request.team,
      (change) => this.#write(change, missing, files),
    )
    for (const [folder, key] of folders) this.#keys.set(folder, key)
    this.#foldersCreated += newFolders
    results.forEach(this.#request.onResult)
  }

  /** Finds the team's folders, and tells which it does not have yet. */
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

  /** The files that have to be written. What becomes of the others is told. */
  async #prepareFiles(): Promise<KeptFile[]> {
    const paths = this.#definitions.map(({ path }) => path)
    const known = byPath(await this.#tools.catalogue.findImported(this.#request.target, paths))
    const files: KeptFile[] = []
    await using lanes = new BoundedTasks(MAX_AT_ONCE, MAX_BYTES_AT_ONCE)
    for (const definition of this.#definitions) {
      if (this.#request.signal.aborted) break
      const { path } = definition
      const before = known.get(path)
      const facts = await this.#orTell(path, () => this.#lookAt(path))
      if (!facts) continue
      if (before && isUntouched(facts, this.#request, before)) {
        this.#request.onResult({ path, outcome: 'unchanged', documentId: before.id })
        continue
      }
      await lanes.start(facts.sizeBytes, async () => {
        const file = await this.#orTell(path, () =>
          prepareFile(this.#tools.reader, this.#request, definition, before),
        )
        if (file) files.push(await keepFile(this.#tools, file))
      })
    }
    await lanes.finish()
    return files
  }

  async #lookAt(path: string): Promise<FileFacts> {
    return readFacts(await stat(join(this.#request.from, path)))
  }

  /** What `work` makes. That a file fails is a result as others are, but for what fails because the import is stopped. */
  async #orTell<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      const { signal, onResult } = this.#request
      if (!signal.aborted) onResult({ path, outcome: 'failed', reason: reasonOf(error) })
      return undefined
    }
  }

  /** Everything in one transaction, in which what another import did meanwhile is seen. Can be called again. */
  async #write(change: TeamChange, missing: readonly WalkedFolder[], files: readonly KeptFile[]) {
    const folders = new Map<WalkedFolder, FolderKey>()
    const keyOf = (folder: WalkedFolder) => (folders.get(folder) ?? this.#keys.get(folder))!
    let newFolders = 0
    for (const folder of missing) {
      const { key, isNew } = await change.ensureFolder(keyOf(folder.parent!), folder.name)
      folders.set(folder, key)
      if (isNew) newFolders++
    }
    const paths = files.map(({ source }) => source.path)
    const known = byPath(await change.findImported(this.#request.target, paths))
    const { onConflict, force } = this.#request
    const terms = { blobs: this.#tools.blobs, onConflict, force }
    const results: ImportResult[] = []
    for (const file of files) {
      const before = known.get(file.source.path)
      results.push(await writeFile(change, keyOf(file.folder), file, before, terms))
    }
    return { folders, newFolders, results }
  }
}

const byPath = (documents: readonly ImportedDocument[]): Map<string, ImportedDocument> =>
  new Map(documents.map((document) => [document.path, document]))
