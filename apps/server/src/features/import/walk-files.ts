import type { Dir, Dirent } from 'node:fs'
import { lstat, opendir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileKind, findFileKind } from '@meadow/contract/web/terms'
import { ImportError } from './import-result.ts'
import { isBelow } from './open-below.ts'

/** A folder on the disk. */
export interface WalkedFolder {
  readonly name: string
  /** Undefined for the root of the walk. */
  readonly parent: WalkedFolder | undefined
  /** Relative to the root, with `/` between the names; empty for the root. */
  readonly path: string
  readonly depth: number
}

/** What is imported: definitions become documents, the others files of the tree. */
export type ImportKind = 'definition' | FileKind

/** A file with the name of one that is imported. `path` is relative to the root. */
export interface FoundFile {
  kind: 'file'
  fileKind: ImportKind
  folder: WalkedFolder
  name: string
  path: string
}

/** A folder comes before its contents. */
export type Found =
  | { kind: 'folder'; folder: WalkedFolder }
  | FoundFile
  /** A file or folder that may be, or contain, one that is imported. */
  | { kind: 'unreadable'; path: string; error: unknown }
  /**
   * A link that is not followed. One to a folder could lead into a cycle, or to the same files twice; one to a file outside
   * of the root would give whoever may write there what they may not read.
   */
  | { kind: 'link'; path: string; to: 'folder' | 'outside' }
  /** A file of another kind. */
  | { kind: 'other'; path: string }

/** Bounds open folders and the length of paths. Folders of real definitions are nested a handful deep. */
export const MAX_DEPTH = 100

const ROOT: WalkedFolder = Object.freeze({ name: '', parent: undefined, path: '', depth: 0 })

/** The walk of a folder that contains one file; empty when it is of another kind. */
export function* oneFile(name: string): Generator<Found> {
  const fileKind = findImportKind(name)
  if (!fileKind) return
  yield { kind: 'folder', folder: ROOT }
  yield { kind: 'file', fileKind, folder: ROOT, name, path: name }
}

/**
 * Every folder and file below `root`, in the order of the file system. Memory grows with the depth only. Errors are not
 * thrown but yielded, and the walk continues.
 */
export async function* walkFiles(root: string): AsyncGenerator<Found> {
  const open: { folder: WalkedFolder; entries: Dir }[] = []
  const realRoot = await realpath(root).catch(() => root)

  async function* enter(folder: WalkedFolder): AsyncGenerator<Found> {
    try {
      if (folder.depth > MAX_DEPTH) throw new ImportError(`it is more than ${MAX_DEPTH} folders deep`)
      open.push({ folder, entries: await opendir(join(root, folder.path)) })
      yield { kind: 'folder', folder }
    } catch (error) {
      yield { kind: 'unreadable', path: folder.path, error: explain(error, folder.path) }
    }
  }

  try {
    yield* enter(ROOT)
    for (let current = open.at(-1); current; current = open.at(-1)) {
      const entry = await nextEntry(current.entries)
      if (entry === null || entry instanceof Error) {
        open.pop()
        await current.entries.close()
        if (entry) yield { kind: 'unreadable', path: current.folder.path, error: entry }
        continue
      }
      if (isHidden(entry.name)) continue
      const path = current.folder.path === '' ? entry.name : `${current.folder.path}/${entry.name}`
      const found = await classify(join(root, path), entry, { folder: current.folder, path, realRoot })
      if (found.kind === 'folder') yield* enter(found.folder)
      else yield found
    }
  } finally {
    for (const { entries } of open) await entries.close()
  }
}

/** Resolves with the next entry, or the error; null at the end. */
async function nextEntry(entries: Dir): Promise<Dirent | Error | null> {
  try {
    return await entries.read()
  } catch (error) {
    return error as Error
  }
}

async function classify(
  absolute: string,
  entry: Dirent,
  { folder, path, realRoot }: { folder: WalkedFolder; path: string; realRoot: string },
): Promise<Found> {
  const { name } = entry
  const fileKind = findImportKind(name)
  try {
    const type = hasType(entry) ? entry : await lstat(absolute)
    if (type.isDirectory()) {
      return { kind: 'folder', folder: { name, parent: folder, path, depth: folder.depth + 1 } }
    }
    if (type.isSymbolicLink()) {
      if ((await stat(absolute)).isDirectory()) return { kind: 'link', path, to: 'folder' }
      if (fileKind && !isBelow(realRoot, await realpath(absolute)))
        return { kind: 'link', path, to: 'outside' }
    }
  } catch (error) {
    const mayMatter = fileKind || entry.isDirectory()
    return mayMatter ? { kind: 'unreadable', path, error: explain(error, path) } : { kind: 'other', path }
  }
  return fileKind ? { kind: 'file', fileKind, folder, name, path } : { kind: 'other', path }
}

/** Some file systems do not list the types of entries. A name that is not UTF-8 is looked up, too. */
const hasType = (entry: Dirent): boolean =>
  !entry.name.includes(NOT_UTF8) &&
  (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink() || entry.isSocket() || entry.isFIFO())

/** Replaces bytes that are not UTF-8. No file is found by a name with it, unless that is its real name. */
const NOT_UTF8 = '\ufffd'

const explain = (error: unknown, path: string): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' && path.includes(NOT_UTF8)
    ? new ImportError('its name is not valid UTF-8: give it another name')
    : error

const EXTENSION = /\.ghx?$/i

/** Grasshopper distinguishes `.gh` and `.ghx` by their content, and so does Meadow. */
export const isDefinitionName = (fileName: string): boolean => EXTENSION.test(fileName)

/** The kind of a file of this name; undefined when it is not imported. */
export const findImportKind = (fileName: string): ImportKind | undefined =>
  isDefinitionName(fileName) ? 'definition' : findFileKind(fileName)

/** The name of the document of a file. */
export const withoutExtension = (fileName: string): string => fileName.replace(EXTENSION, '')

/** Whether a file is hidden, as the folder of version control and the companion files of macOS are. */
const isHidden = (fileName: string): boolean => fileName.startsWith('.')
