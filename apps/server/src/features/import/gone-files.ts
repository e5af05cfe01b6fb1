import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { putGoneIntoBin } from '../../library/bin.ts'
import { findImported, type ImportedItem } from '../../library/imported.ts'
import { setGone } from '../../library/sources.ts'
import type { Database } from '../../platform/database/database.ts'
import { foldName } from '../../platform/database/names.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { findCode } from '../../platform/system-errors.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { ImportError, type ImportResult, idOf, type OnGone, type TooManyGone } from './import-result.ts'

/** How many files are looked up at once, and written in one transaction. */
const BATCH = 50

/**
 * What was imported from the folder `from`, and whose files are no longer there. Each file that the scan has not found is
 * looked up, because the scan does not see files in folders that cannot be opened.
 */
export async function findGone(
  items: Iterable<ImportedItem>,
  from: string,
  scanned: ReadonlySet<string>,
): Promise<ImportedItem[]> {
  const unseen = [...items].filter((item) => item.from === from && !scanned.has(item.path))
  const spellings = unseen.length > 0 ? new Set([...scanned].map(foldName)) : new Set()
  const gone: ImportedItem[] = []
  for (let start = 0; start < unseen.length; start += BATCH) {
    const batch = unseen.slice(start, start + BATCH)
    const found = await Promise.all(batch.map(({ path }) => findFile(join(from, path))))
    // Where the case of names does not matter, a file with another spelling of its name is found by both.
    gone.push(...batch.filter(({ path }, i) => !found[i] || spellings.has(foldName(path))))
  }
  return gone.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Looks for a file; false only when there is certainly none. */
async function findFile(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(findCode(error) ?? '')
  }
}

/** This many files may be gone, whatever their share is. */
const ALWAYS_ALLOWED = 10

export const DEFAULT_MAX_GONE_PERCENT = 25

export interface GoneRequest {
  /** The folder on the disk. */
  from: string
  team: TeamKey
  /** The folder of the team that was imported into. */
  target: FolderKey
  onGone: OnGone
  maxGonePercent: number
  dryRun: boolean
  onResult: (result: ImportResult) => void
}

export interface GoneCounts {
  /** The number of files that are gone, and were reported by an earlier import. */
  goneBefore: number
  tooManyGone: TooManyGone | null
}

/**
 * Reports what belongs to files that are gone, or puts it into the bin. `all` counts the files that were imported from
 * the folder, those that are gone included.
 */
export async function handleGone(
  database: Database,
  request: GoneRequest,
  gone: readonly ImportedItem[],
  all: number,
): Promise<GoneCounts> {
  const { onGone, maxGonePercent, dryRun, onResult } = request
  const present = gone.filter((item) => item.bin === null)
  const fresh = present.filter((item) => item.gone === null)
  const removable = onGone === 'bin' ? present.filter((item) => item.gone !== 'kept') : []
  const isTooMany = removable.length > Math.max(ALWAYS_ALLOWED, (all * maxGonePercent) / 100)
  const binned = isTooMany ? [] : removable
  if (binned.length > 0) await checkFolder(request.from)
  const changed = new Set([...fresh, ...binned])
  for (let start = 0, items = [...changed]; start < items.length; start += BATCH) {
    const batch = items.slice(start, start + BATCH)
    const toBin = binned.length > 0 ? batch : []
    if (!dryRun) await writeGone(database, request, batch, toBin)
    for (const item of batch) {
      const isBinned = toBin.includes(item) ? { binned: true as const } : {}
      onResult({ path: item.path, outcome: 'gone', ...idOf(item), ...isBinned })
    }
  }
  return {
    goneBefore: present.length - changed.size,
    tooManyGone: isTooMany ? { gone: removable.length, files: all, maxPercent: maxGonePercent } : null,
  }
}

/** Throws when the folder itself went away while it was imported, as a network drive does. */
async function checkFolder(from: string): Promise<void> {
  await using folder = await opendir(from)
  if ((await folder.read()) === null) throw new ImportError(`"${from}" has become empty during the import.`)
}

async function writeGone(
  database: Database,
  { team, target }: GoneRequest,
  items: readonly ImportedItem[],
  toBin: readonly ImportedItem[],
): Promise<void> {
  const keys = new Set(toBin.map(({ id }) => id))
  await changeTeam(database, team, async (change) => {
    const paths = items.map(({ path }) => path)
    // Somebody may have deleted one meanwhile, or another import may have found its file.
    const current = (await findImported(change.write, target, paths)).filter(({ bin }) => bin === null)
    await setGone(change, current)
    await putGoneIntoBin(
      change,
      current.filter(({ id }) => keys.has(id)),
    )
  })
}

/** Throws when nothing is left of a folder from which something was imported: its drive is probably not connected. */
export function checkNotEmpty(from: string, items: Iterable<ImportedItem>): void {
  const count = [...items].filter((item) => item.from === from && item.bin === null).length
  if (count === 0) return
  throw new ImportError(
    `"${from}" is empty, although ${count} ${count === 1 ? 'file was' : 'files were'} imported from it. Nothing was ` +
      'changed. Connect its drive, or import without --gone bin.',
  )
}
