import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { listFoldersBelow } from '../../library/folders.ts'
import {
  byBin,
  findImported,
  type ImportedItem,
  listImportedDocuments,
  listImportedFiles,
} from '../../library/imported.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import type { PoolLimits } from '../../platform/processes/pool-limits.ts'
import { type DefinitionParser, openDefinitionParser } from './definition-parser.ts'
import { checkNotEmpty, DEFAULT_MAX_GONE_PERCENT, findGone, handleGone } from './gone-files.ts'
import { createFolders, deleteEmptied, importFiles } from './import-batch.ts'
import {
  ImportError,
  type ImportResult,
  type ImportSummary,
  type OnConflict,
  type OnGone,
} from './import-result.ts'
import { addChangedMoves, matchMoves } from './match-moves.ts'
import { decide, listNewFolders, TargetFolders } from './plan-import.ts'
import { type ImportRoot, readStableFile, sha256Of } from './prepare-file.ts'
import { ResultCounter } from './result-counter.ts'
import { type Scan, type ScannedFile, scanFolder } from './scan-folder.ts'
import { oneFile, walkFiles } from './walk-files.ts'

export interface ImportRequest {
  /** Absolute path of a folder, or of one file. */
  path: string
  team: TeamKey
  /** Receives the contents of the folder, or the one file. */
  target: FolderKey
  /** What to do with edited documents whose files have changed. Default: `keep`. */
  onConflict?: OnConflict | undefined
  /** What to do with documents whose files are gone. Default: `keep`. */
  onGone?: OnGone | undefined
  /** `bin` puts nothing into the bin when a larger share of the files, and more than 10, are gone. Default: 25. */
  maxGonePercent?: number | undefined
  /** Reports what an import would do, and writes nothing. Default: false. */
  dryRun?: boolean | undefined
  /** Reads unchanged files again; default: false. */
  force?: boolean | undefined
  /** Ends the import after what was read so far is written. */
  signal: AbortSignal
  /** Called with the number of files, as soon as it is known. */
  onScanned?: ((files: number) => void) | undefined
  /** Called for each file, as soon as its result is known. */
  onResult: (result: ImportResult) => void
}

interface ImportParts {
  database: Database
  blobs: BlobStore
  /** The limits of the parser's processes. */
  limits?: PoolLimits
  /** The parser; by default one for this import only, which aborts with `signal`. */
  parser?: DefinitionParser
}

/**
 * Imports a folder tree of definitions, models and library items, or one such file, into a folder of a team. Memory grows
 * by a few hundred bytes for each file. A file that cannot be read is a result, not an error. An import that was
 * interrupted, or killed, can be run again: what exists keeps its ids.
 */
export async function importDefinitions(
  { limits, parser, ...storage }: ImportParts,
  request: ImportRequest,
): Promise<ImportSummary> {
  const { path, team, target, signal, onConflict = 'keep', force = false, dryRun = false } = request
  const { database } = storage
  const isFolder = (await stat(path)).isDirectory()
  const from = isFolder ? path : dirname(path)
  const realPath = await realpath(path)
  // A link that is named itself is followed.
  const realRoot = isFolder ? realPath : dirname(realPath)
  const counter = new ResultCounter()
  const onResult = (result: ImportResult) => {
    counter.add(result)
    request.onResult(result)
  }

  const walk = isFolder ? walkFiles(path) : oneFile(basename(path))
  const onOther = (other: string) => counter.addOther(other)
  const scan = await scanFolder(walk, { from, signal, onResult, onOther })
  if (!isFolder && scan.folders.length === 0)
    throw new ImportError(
      `"${path}" is neither a folder nor a file that is imported (.gh, .ghx, .3dm, .ghuser, .ghcluster, .txt or .csv).`,
    )
  request.onScanned?.(scan.files.length)
  const items = isFolder
    ? await readItems(database, target)
    : toMap(await findImported(database.read, target, [basename(path)]))
  if (request.onGone === 'bin' && isFolder && scan.isEmpty) checkNotEmpty(from, items.values())

  const gone = isFolder && !signal.aborted ? await listGone(items, from, scan) : []
  const moves = await findMoves(scan, { from, realRoot }, items, gone)
  const folders = new TargetFolders(target, await listFoldersBelow(database.read, target))
  const plan = decide(scan.files, items, moves, folders, { from, realRoot, target, force })
  plan.results.forEach(onResult)
  const newFolders = signal.aborted ? [] : listNewFolders(scan.folders, folders)
  const foldersCreated = dryRun ? newFolders.length : await createFolders(database, team, newFolders, folders)

  await using ownParser = parser ? undefined : openDefinitionParser({ signal, ...(limits && { limits }) })
  const tools = { ...storage, parser: (parser ?? ownParser)! }
  const batches = { from, realRoot, target, force, team, onConflict, dryRun, signal, onResult }
  await importFiles(tools, batches, plan.files, folders)

  const moved = new Set(moves.values())
  if (!dryRun && !signal.aborted) {
    const onDisk = new Set(scan.folders.map((folder) => folder.path))
    const formerPaths = [...moved].map((item) => item.path)
    await deleteEmptied(database, team, formerPaths, onDisk, folders)
  }
  const { onGone = 'keep', maxGonePercent = DEFAULT_MAX_GONE_PERCENT } = request
  const goneCounts = signal.aborted
    ? { goneBefore: 0, tooManyGone: null }
    : await handleGone(
        database,
        { from, team, target, onGone, maxGonePercent, dryRun, onResult },
        gone.filter((item) => !moved.has(item)),
        [...items.values()].filter((item) => item.from === from && item.bin === null).length,
      )
  return counter.summarize({ ...goneCounts, foldersCreated, dryRun, interrupted: signal.aborted })
}

const PAGE = 1000

/** What was imported into the folder, by path. */
async function readItems(database: Database, target: FolderKey): Promise<Map<string, ImportedItem>> {
  const items: ImportedItem[] = []
  for (const list of [listImportedDocuments, listImportedFiles]) {
    let page: ImportedItem[] = []
    do {
      page = await list(database.read, target, { after: page.at(-1)?.key, limit: PAGE })
      items.push(...page)
    } while (page.length === PAGE)
  }
  return toMap(items.sort(byBin))
}

const toMap = (items: readonly ImportedItem[]) => new Map(items.map((item) => [item.path, item]))

const listGone = (items: ReadonlyMap<string, ImportedItem>, from: string, scan: Scan) =>
  findGone(items.values(), from, new Set(scan.files.map(({ path }) => path)))

/** Finds what belonged to files that are gone, by the new paths of their bytes. Only files that may match are read. */
async function findMoves(
  scan: Scan,
  root: Pick<ImportRoot, 'from' | 'realRoot'>,
  items: ReadonlyMap<string, ImportedItem>,
  gone: readonly ImportedItem[],
): Promise<Map<string, ImportedItem>> {
  if (gone.length === 0) return new Map()
  const sizes = new Set(gone.map(({ sizeBytes }) => sizeBytes))
  const found = scan.files.filter(({ path }) => !items.has(path))
  // A file may also have been moved to the path of one whose document is in the bin.
  const candidates = scan.files.filter(({ path }) => items.get(path)?.bin !== null)
  const digests: { path: string; kind: string; sha256: string }[] = []
  for (const file of candidates) {
    const sha256 = sizes.has(file.stats.sizeBytes) && (await digestOf(root, file))
    if (sha256 && sha256 !== items.get(file.path)?.sha256)
      digests.push({ path: file.path, kind: toKind(file), sha256 })
  }
  const former = gone.map((item) => ({ ...item, isBinned: item.bin !== null, item }))
  const moves = matchMoves(digests, former)
  const folders = new Set(scan.folders.map(({ path }) => path))
  const others = found.map((file) => ({ path: file.path, kind: toKind(file) }))
  addChangedMoves(moves, others, former, (path) => folders.has(path))
  return new Map([...moves].map(([path, { item }]) => [path, item]))
}

const toKind = ({ fileKind }: ScannedFile) => (fileKind === 'definition' ? 'document' : fileKind)

/** Resolves with undefined when the file cannot be read, which is reported when it is imported. */
const digestOf = (
  { from, realRoot }: Pick<ImportRoot, 'from' | 'realRoot'>,
  { path }: ScannedFile,
): Promise<string | undefined> =>
  readStableFile(realRoot, join(from, path)).then(
    ({ bytes }) => sha256Of(bytes),
    () => undefined,
  )
