import type { Dir, Dirent } from 'node:fs'
import { lstat, opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDefinitionName, isHidden } from './definition-name.ts'
import { ImportError } from './import-error.ts'

/** A folder on the disk that is walked. */
export interface WalkedFolder {
  readonly name: string
  /** Undefined for the one that the walk began with. */
  readonly parent: WalkedFolder | undefined
  /** Relative to where the walk began, with `/` between the names; empty there. */
  readonly path: string
  readonly depth: number
}

/** A file that is called as definitions are. `path` is relative to where the walk began. */
export interface Definition {
  kind: 'definition'
  folder: WalkedFolder
  name: string
  path: string
}

/** What is met on the way. A folder comes before what is in it. */
export type Found =
  | { kind: 'folder'; folder: WalkedFolder }
  | Definition
  /** What may hold definitions and cannot be looked at. */
  | { kind: 'trouble'; path: string; error: unknown }
  /** A link to a folder: following it could lead round in circles, or twice to the same files. */
  | { kind: 'link'; path: string }
  /** A file that is no definition. */
  | { kind: 'other' }

/** Grasshopper's users nest folders a handful deep; this keeps open folders and paths bounded. */
export const MAX_DEPTH = 100

const TOP: WalkedFolder = Object.freeze({ name: '', parent: undefined, path: '', depth: 0 })

/** What a walk finds that has one definition to find. */
export async function* oneDefinition(name: string): AsyncGenerator<Found> {
  yield { kind: 'folder', folder: TOP }
  yield { kind: 'definition', folder: TOP, name, path: name }
}

/**
 * Every folder and definition below `root`, in the order in which the disk has them. Memory grows with the depth
 * alone. Nothing is thrown for what cannot be read: it is told as trouble, and the walk goes on.
 */
export async function* walkDefinitions(root: string): AsyncGenerator<Found> {
  const open: { folder: WalkedFolder; entries: Dir }[] = []

  async function* enter(folder: WalkedFolder): AsyncGenerator<Found> {
    try {
      if (folder.depth > MAX_DEPTH) throw new ImportError(`it is more than ${MAX_DEPTH} folders deep`)
      open.push({ folder, entries: await opendir(join(root, folder.path)) })
      yield { kind: 'folder', folder }
    } catch (error) {
      yield { kind: 'trouble', path: folder.path, error: explain(error, folder.path) }
    }
  }

  try {
    yield* enter(TOP)
    for (let current = open.at(-1); current; current = open.at(-1)) {
      const entry = await nextEntry(current.entries)
      if (entry === null || entry instanceof Error) {
        open.pop()
        await current.entries.close()
        if (entry) yield { kind: 'trouble', path: current.folder.path, error: entry }
        continue
      }
      if (isHidden(entry.name)) continue
      const path = current.folder.path === '' ? entry.name : `${current.folder.path}/${entry.name}`
      const found = await look(join(root, path), entry, current.folder, path)
      if (found.kind === 'folder') yield* enter(found.folder)
      else yield found
    }
  } finally {
    for (const { entries } of open) await entries.close()
  }
}

/** The next entry, null at the end, or why there is none. */
async function nextEntry(entries: Dir): Promise<Dirent | Error | null> {
  try {
    return await entries.read()
  } catch (error) {
    return error as Error
  }
}

async function look(absolute: string, entry: Dirent, folder: WalkedFolder, path: string): Promise<Found> {
  const { name } = entry
  try {
    const type = isKnown(entry) ? entry : await lstat(absolute)
    if (type.isDirectory()) {
      return { kind: 'folder', folder: { name, parent: folder, path, depth: folder.depth + 1 } }
    }
    if (type.isSymbolicLink()) {
      if ((await stat(absolute)).isDirectory()) return { kind: 'link', path }
    }
  } catch (error) {
    const isWanted = isDefinitionName(name) || entry.isDirectory()
    return isWanted ? { kind: 'trouble', path, error: explain(error, path) } : { kind: 'other' }
  }
  return isDefinitionName(name) ? { kind: 'definition', folder, name, path } : { kind: 'other' }
}

/** Some file systems do not say in a folder what its entries are; nor is a name certain that is not UTF-8. */
const isKnown = (entry: Dirent): boolean =>
  !entry.name.includes(NOT_UTF8) &&
  (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink() || entry.isSocket() || entry.isFIFO())

/** Stands for bytes that are no UTF-8. A file is not found under a name with it, unless it really is called so. */
const NOT_UTF8 = '\ufffd'

const explain = (error: unknown, path: string): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' && path.includes(NOT_UTF8)
    ? new ImportError('its name is not valid UTF-8: give it another name')
    : error
