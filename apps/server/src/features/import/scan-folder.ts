import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BoundedTasks } from '../../platform/concurrency/bounded-tasks.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import type { ImportResult } from './import-result.ts'
import { OUTSIDE } from './open-below.ts'
import { type FileStats, toFileStats } from './prepare-file.ts'
import type { Found, FoundFile, WalkedFolder } from './walk-files.ts'

/** How many files are looked up at once: on a network drive each takes a while. */
const MAX_CONCURRENT = 16

/** A file that can be imported, as it was when the folder was scanned. */
export interface ScannedFile extends FoundFile {
  stats: FileStats
}

/** What is in a folder: a few hundred bytes of memory for each file. */
export interface Scan {
  /** A folder comes before those in it. */
  folders: WalkedFolder[]
  files: ScannedFile[]
  /** Whether nothing is in the folder, not even files of other kinds. */
  isEmpty: boolean
}

export interface ScanRequest {
  /** The folder on the disk that paths are relative to. */
  from: string
  signal: AbortSignal
  onResult: (result: ImportResult) => void
  /** Called for each file of a kind that is not imported. */
  onOther: (path: string) => void
}

/** Reads names, sizes and times of all files. What cannot be read is reported. */
export async function scanFolder(
  walk: AsyncIterable<Found> | Iterable<Found>,
  { from, signal, onResult, onOther }: ScanRequest,
): Promise<Scan> {
  const scan: Scan = { folders: [], files: [], isEmpty: true }
  await using tasks = new BoundedTasks(MAX_CONCURRENT, MAX_CONCURRENT)
  const addFile = async (file: FoundFile) => {
    try {
      scan.files.push({ ...file, stats: toFileStats(await stat(join(from, file.path))) })
    } catch (error) {
      onResult({ path: file.path, outcome: 'failed', reason: reasonOf(error) })
    }
  }
  for await (const found of walk) {
    if (signal.aborted) break
    if (found.kind !== 'folder' || found.folder.parent) scan.isEmpty = false
    if (found.kind === 'folder') scan.folders.push(found.folder)
    else if (found.kind === 'file') await tasks.start(1, () => addFile(found))
    else if (found.kind === 'other') onOther(found.path)
    else onResult(toResult(found))
  }
  await tasks.finish()
  return scan
}

const toResult = (found: Extract<Found, { kind: 'unreadable' | 'link' }>): ImportResult =>
  found.kind === 'unreadable'
    ? { path: found.path || '.', outcome: 'failed', reason: reasonOf(found.error) }
    : {
        path: found.path,
        outcome: 'skipped',
        reason: found.to === 'folder' ? 'it is a link to a folder, which is not followed' : OUTSIDE,
      }
