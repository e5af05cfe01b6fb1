/** A file with its bytes' digest; of two kinds none is the other one moved. */
export interface FileBytes {
  path: string
  kind: string
  sha256: string
}

/** A file that was imported and is no longer there. */
export interface GoneFile extends FileBytes {
  /** Whether what belongs to the file is in the bin. */
  isBinned: boolean
}

/**
 * Which of the files that are gone are now at another path: `moves` has the former file for each path that it is at now.
 * Of several files with equal bytes, those with the most names in common at the end of their paths belong together, then
 * those first in the order of paths; so the result does not depend on the order of the input.
 */
export function matchMoves<Gone extends GoneFile>(
  found: readonly FileBytes[],
  gone: readonly Gone[],
): Map<string, Gone> {
  const moves = new Map<string, Gone>()
  const bytesOf = ({ kind, sha256 }: FileBytes) => `${kind} ${sha256}`
  const goneByBytes = Map.groupBy(gone.toSorted(byPath), bytesOf)
  for (const [bytes, files] of Map.groupBy(found.toSorted(byPath), bytesOf)) {
    const former = goneByBytes.get(bytes) ?? []
    // What is in the bin is matched last.
    for (const isBinned of [false, true]) {
      matchByPath(
        files,
        former.filter((file) => file.isBinned === isBinned),
        moves,
      )
    }
  }
  return moves
}

/** Matches files with equal bytes, which are in the order of their paths. */
function matchByPath<Gone extends GoneFile>(
  files: readonly FileBytes[],
  gone: readonly Gone[],
  moves: Map<string, Gone>,
): void {
  const taken = new Set<Gone>()
  const deepest = Math.max(0, ...gone.map(({ path }) => namesOf(path).length))
  for (let names = deepest; names >= 0; names--) {
    const free = gone.filter((file) => !taken.has(file))
    if (free.length === 0) return
    const byEnd = Map.groupBy(free, ({ path }) => endOf(path, names))
    for (const { path } of files) {
      if (moves.has(path)) continue
      const former = byEnd.get(endOf(path, names))?.shift()
      if (!former) continue
      moves.set(path, former)
      taken.add(former)
    }
  }
}

/**
 * Adds files that were moved and changed as well: those of a folder that is no longer there, from which other files were
 * moved to one other folder with their names. A file of the same name there, new like them, is the same file.
 */
export function addChangedMoves<Gone extends GoneFile>(
  moves: Map<string, Gone>,
  found: readonly Omit<FileBytes, 'sha256'>[],
  gone: readonly Gone[],
  hasFolder: (path: string) => boolean,
): void {
  const matched = new Set(moves.values())
  const left = new Map(gone.filter((file) => !matched.has(file)).map((file) => [file.path, file]))
  const sources = findMovedFolders(moves, hasFolder)
  for (const { path, kind } of found) {
    const from = sources.get(folderOf(path))
    const former = from === undefined ? undefined : left.get(join(from, nameOf(path)))
    if (former && former.kind === kind && !moves.has(path)) moves.set(path, former)
  }
}

/** The former path of each folder that all moved files of another one, which is gone, are in now. */
function findMovedFolders<Gone extends GoneFile>(
  moves: ReadonlyMap<string, Gone>,
  hasFolder: (path: string) => boolean,
): Map<string, string> {
  const targets = new Map<string, Set<string>>()
  for (const [path, { path: before }] of moves) {
    let [from, to] = [before, path]
    // A folder is moved with those in it.
    while (nameOf(from) === nameOf(to)) {
      from = folderOf(from)
      to = folderOf(to)
      if (from === '' || hasFolder(from)) break
      targets.set(from, (targets.get(from) ?? new Set()).add(to))
    }
  }
  const sources = new Map<string, string>()
  const several = new Set<string>()
  for (const [from, [to, ...others]] of targets) {
    if (others.length > 0 || !to) continue
    if (sources.has(to)) several.add(to)
    sources.set(to, from)
  }
  for (const to of several) sources.delete(to)
  return sources
}

const byPath = (a: FileBytes, b: FileBytes): number => (a.path < b.path ? -1 : 1)

const namesOf = (path: string): string[] => path.split('/')

/** Returns the last `names` names of a path, or all of it when it has fewer. */
const endOf = (path: string, names: number): string =>
  names === 0 ? '' : namesOf(path).slice(-names).join('/')

/** The folder of a file, empty for the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
