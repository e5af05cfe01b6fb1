import type { FolderBelow } from '../../library/folders.ts'
import type { ImportedItem } from '../../library/imported.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import { type ImportResult, idOf } from './import-result.ts'
import { folderOf, nameOf } from './match-moves.ts'
import { type ImportRoot, isUnchanged } from './prepare-file.ts'
import type { ScannedFile } from './scan-folder.ts'
import type { WalkedFolder } from './walk-files.ts'

/** A file to be read and written. */
export interface PlannedFile {
  file: ScannedFile
  /** The document or other file that an earlier import made of it. */
  item: ImportedItem | undefined
  /** The former path of the item's file, which was moved or renamed. */
  movedFrom?: string
  /** The item is in the folder of its former path, so that it is moved with the file. */
  followsFolder?: boolean
}

/** The folders of the team below the one that is imported into, by the paths of folders on the disk. */
export class TargetFolders {
  readonly #keys = new Map<string, FolderKey | 'binned'>()
  readonly #children: Map<string, FolderBelow[]>

  constructor(target: FolderKey, below: readonly FolderBelow[]) {
    this.#keys.set('', target)
    this.#children = Map.groupBy(below, ({ parent, name }) => `${parent} ${name}`)
  }

  /**
   * Returns the folder of this path; `binned` when it, or one that it is in, is in the bin; undefined if there is none.
   * Of several folders with one name, it is the oldest that is not in the bin.
   */
  find(path: string): FolderKey | 'binned' | undefined {
    const known = this.#keys.get(path)
    if (known !== undefined || path === '') return known
    const parent = this.find(folderOf(path))
    const key = typeof parent === 'number' ? this.#findChild(parent, path) : parent
    if (key !== undefined) this.#keys.set(path, key)
    return key
  }

  add(path: string, key: FolderKey): void {
    this.#keys.set(path, key)
  }

  #findChild(parent: FolderKey, path: string): FolderKey | 'binned' | undefined {
    const children = this.#children.get(`${parent} ${cleanName(nameOf(path))}`) ?? []
    return children.find(({ bin }) => bin === null)?.key ?? (children.length > 0 ? 'binned' : undefined)
  }
}

/** The folders that the team does not have yet, each after the one that it is in. */
export const listNewFolders = (folders: readonly WalkedFolder[], target: TargetFolders): WalkedFolder[] =>
  folders.filter(({ path }) => target.find(path) === undefined)

export interface Decision {
  /** The files in the order in which they are to be written. */
  files: PlannedFile[]
  /** The results of the other files. */
  results: ImportResult[]
}

/** Decides what becomes of each file. `moves`: the items of files that were moved, by the paths of the files. */
export function decide(
  scanned: readonly ScannedFile[],
  items: ReadonlyMap<string, ImportedItem>,
  moves: ReadonlyMap<string, ImportedItem>,
  folders: TargetFolders,
  root: ImportRoot,
): Decision {
  const decision: Decision = { files: [], results: [] }
  for (const file of scanned) {
    const { path } = file
    const item = items.get(path)
    const moved = moves.get(path)
    if (moved) decision.files.push(planMove(file, moved, folders))
    else if (item ? isInBin(item) : folders.find(folderOf(path)) === 'binned')
      decision.results.push({ path, outcome: 'binned', ...idOf(item) })
    else if (item && item.bin === null && item.gone === null && isUnchanged(file.stats, root, item))
      decision.results.push({ path, outcome: 'unchanged', ...idOf(item) })
    else decision.files.push({ file, item })
  }
  // Documents get times in the order of those of their files (decision 43).
  decision.files.sort(
    (a, b) => a.file.stats.mtimeMs - b.file.stats.mtimeMs || (a.file.path < b.file.path ? -1 : 1),
  )
  return decision
}

/** Whether an item is in the bin, and not because its file was gone. */
export const isInBin = ({ bin, isBinnedAsGone }: ImportedItem): boolean =>
  bin !== null && isBinnedAsGone !== 1

function planMove(file: ScannedFile, item: ImportedItem, folders: TargetFolders): PlannedFile {
  const followsFolder = folders.find(folderOf(item.path)) === item.folder
  return { file, item, movedFrom: item.path, followsFolder }
}
