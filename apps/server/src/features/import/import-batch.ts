import { deleteEmptyFolder, ensureFolder } from '../../library/folders.ts'
import { findImported, type ImportedItem } from '../../library/imported.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { BoundedTasks } from '../../platform/concurrency/bounded-tasks.ts'
import type { Database } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { takeTimes } from '../../team/raise-version.ts'
import { changeTeam, type TeamTransaction } from '../../team/team-transaction.ts'
import type { DefinitionParser } from './definition-parser.ts'
import { type ImportResult, idOf, type OnConflict } from './import-result.ts'
import { folderOf } from './match-moves.ts'
import { isInBin, type PlannedFile, type TargetFolders } from './plan-import.ts'
import {
  type ImportRoot,
  type PreparedFile,
  prepareFile,
  type StoredFile,
  storeFile,
} from './prepare-file.ts'
import type { WalkedFolder } from './walk-files.ts'
import { writeFile } from './write-file.ts'

/** How many files are written in one transaction at most, which blocks other writers. */
const BATCH = 50

/** How many files are read concurrently, so that the disk and the parser work at the same time. */
const MAX_CONCURRENT_FILES = 4

/** The total size of the files that are read concurrently; a single file may be larger. */
const MAX_CONCURRENT_BYTES = 32 * 2 ** 20

export interface ImportTools {
  database: Database
  blobs: BlobStore
  parser: DefinitionParser
}

export interface BatchRequest extends ImportRoot {
  team: TeamKey
  onConflict: OnConflict
  dryRun: boolean
  signal: AbortSignal
  onResult: (result: ImportResult) => void
}

/** Makes folders that the team does not have yet, each after the one that it is in; returns how many it has made. */
export async function createFolders(
  database: Database,
  team: TeamKey,
  folders: readonly WalkedFolder[],
  target: TargetFolders,
): Promise<number> {
  let count = 0
  for (const portion of inBatches(folders)) {
    const created = await changeTeam(database, team, async (change) => {
      // The transaction may be repeated.
      const keys = new Map<string, FolderKey>()
      let isNew = 0
      for (const { path, name } of portion) {
        const parent = keys.get(folderOf(path)) ?? target.find(folderOf(path))
        const folder = await ensureFolder(change, parent as FolderKey, cleanName(name))
        keys.set(path, folder.key)
        if (folder.isNew) isNew++
      }
      return { keys, isNew }
    })
    for (const [path, key] of created.keys) target.add(path, key)
    count += created.isNew
  }
  return count
}

/**
 * Deletes folders of the team that were left empty by files that were moved out of them, unless their folders are still
 * on the disk.
 */
export async function deleteEmptied(
  database: Database,
  team: TeamKey,
  formerPaths: Iterable<string>,
  scanned: ReadonlySet<string>,
  target: TargetFolders,
): Promise<void> {
  const emptied = new Set<string>()
  for (const path of formerPaths) {
    for (let folder = folderOf(path); folder !== '' && !scanned.has(folder); folder = folderOf(folder)) {
      emptied.add(folder)
    }
  }
  // Folders in a folder have longer paths than it.
  const deepestFirst = [...emptied].sort((a, b) => b.length - a.length)
  const keys = deepestFirst.map((path) => target.find(path)).filter((key) => typeof key === 'number')
  if (keys.length === 0) return
  await changeTeam(database, team, async (change) => {
    for (const key of keys) await deleteEmptyFolder(change, key)
  })
}

/**
 * Reads the files, and writes them in batches, in their order: while one is written, the next one is read. A dry run
 * reports what it would write.
 */
export async function importFiles(
  tools: ImportTools,
  request: BatchRequest,
  files: readonly PlannedFile[],
  target: TargetFolders,
): Promise<void> {
  let written = Promise.resolve()
  for (let start = 0; start < files.length && !request.signal.aborted; start += BATCH) {
    const [prepared, before] = await Promise.allSettled([
      prepareFiles(tools, request, files.slice(start, start + BATCH)),
      written,
    ])
    if (before.status === 'rejected') throw before.reason
    if (prepared.status === 'rejected') throw prepared.reason
    written = writeBatch(tools, request, prepared.value, target)
  }
  await written
}

async function writeBatch(
  tools: ImportTools,
  request: BatchRequest,
  prepared: readonly StoredFile[],
  target: TargetFolders,
): Promise<void> {
  if (prepared.length === 0) return
  const results = await changeTeam(tools.database, request.team, async (change) => {
    const written = await writeFiles(change, tools, request, prepared, target)
    recordImport(change, request.from, written)
    return written
  })
  results.forEach(request.onResult)
}

/** One event for all files of the transaction that it wrote. */
function recordImport(change: TeamTransaction, from: string, results: readonly ImportResult[]): void {
  const counts: Record<string, number> = {}
  for (const { outcome } of results) {
    if (CHANGES.has(outcome)) counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  if (Object.keys(counts).length === 0) return
  const { path } = results[0]!
  change.record({
    action: 'import.done',
    target: { kind: 'folder', name: from },
    details: { ...counts, first: path },
  })
}

const CHANGES: ReadonlySet<ImportResult['outcome']> = new Set(['created', 'updated', 'moved'])

/** Returns the files that could be read, in their order, and reports the others. */
async function prepareFiles(
  tools: ImportTools,
  { signal, dryRun, onConflict, onResult, ...root }: BatchRequest,
  files: readonly PlannedFile[],
): Promise<StoredFile[]> {
  const stored = new Map<PlannedFile, StoredFile>()
  await using tasks = new BoundedTasks(MAX_CONCURRENT_FILES, MAX_CONCURRENT_BYTES)
  for (const planned of files) {
    if (signal.aborted) break
    const { path, stats } = planned.file
    await tasks.start(stats.sizeBytes, async () => {
      const file = await prepareFile(tools.parser, root, planned).catch((error: unknown) => {
        if (!signal.aborted) onResult({ path, outcome: 'failed', reason: reasonOf(error) })
      })
      if (file && dryRun) onResult(predict(file, onConflict))
      else if (file) stored.set(planned, await storeFile(tools, file))
    })
  }
  await tasks.finish()
  return files.flatMap((planned) => stored.get(planned) ?? [])
}

/** Looks up everything again in the transaction, which may be repeated: another import may have changed it. */
async function writeFiles(
  change: TeamTransaction,
  { blobs }: ImportTools,
  { target: root, onConflict, force }: BatchRequest,
  files: readonly StoredFile[],
  target: TargetFolders,
): Promise<ImportResult[]> {
  const paths = files.flatMap(({ source, movedFrom }) => [source.path, ...(movedFrom ? [movedFrom] : [])])
  const found = await findImported(change.write, root, paths)
  const byPath = new Map(found.map((item) => [item.path, item]))
  const times = await takeTimes(change.write, change.team, files.length)
  const results: ImportResult[] = []
  for (const [position, file] of files.entries()) {
    const folder = target.find(folderOf(file.source.path))
    const here = byPath.get(file.source.path)
    const current = here?.bin === null ? here : (findMoved(file, byPath) ?? here)
    // A file that was moved into a folder that is in the bin stays in the folder that it was in.
    const place = { folder: typeof folder === 'number' ? folder : root, at: times[position]! }
    const planned = typeof folder === 'number' ? file : { ...file, followsFolder: false }
    results.push(await writeFile(change, place, planned, current, { blobs, onConflict, force }))
  }
  return results
}

/** What belongs to the former path of a file that was moved, unless it has become that of another file. */
const findMoved = (
  { movedFrom, item }: StoredFile,
  byPath: ReadonlyMap<string, ImportedItem>,
): ImportedItem | undefined => {
  const former = movedFrom === undefined ? undefined : byPath.get(movedFrom)
  return former && former.id === item?.id ? former : undefined
}

/** What an import would do with a file. */
function predict(
  { item, source: { path, sha256 }, movedFrom, parsed }: PreparedFile,
  onConflict: OnConflict,
): ImportResult {
  const moved = movedFrom === undefined ? {} : { movedFrom }
  const restored = item && item.bin !== null ? { restored: true as const } : {}
  if (item && isInBin(item)) return { path, outcome: 'binned', ...idOf(item), ...moved }
  if (item?.sha256 === sha256) {
    return movedFrom === undefined
      ? { path, outcome: 'unchanged', ...idOf(item), ...restored }
      : { path, outcome: 'moved', ...idOf(item), movedFrom, ...restored }
  }
  const report =
    parsed?.kind === 'document'
      ? { notes: parsed.document.notes, unsolvable: parsed.document.unsolvable }
      : { notes: [], unsolvable: [] }
  if (!item) return { path, outcome: 'created', ...report }
  const wasEdited = item.kind === 'document' && item.seq > item.sourceSeq
  if (wasEdited && onConflict === 'keep') return { path, outcome: 'conflict', ...idOf(item) }
  if (wasEdited && onConflict === 'copy') return { path, outcome: 'created', ...report, besides: item.id }
  const replaced = wasEdited ? { replaced: true as const } : {}
  return { path, outcome: 'updated', ...idOf(item), ...report, ...replaced, ...moved, ...restored }
}
