import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import picomatch from 'picomatch'
import { CheckError } from './config/check-error.ts'

const EXTENSIONS = new Set(['.gh', '.ghx'])

/** Folders that contain no definitions of the user's own. */
const SKIPPED = new Set(['node_modules', '.git'])

/** A path that contains one of these is a glob, unless a file has that name. */
const GLOB = /[*?[\]{}()!]/

/** Whether a definition is a test by Rhino's convention: its name begins with `test_`, in any letter case. */
export const isTest = (path: string): boolean => /^test_/i.test(basename(path))

const isDefinition = (path: string): boolean => EXTENSIONS.has(extname(path).toLowerCase())

/**
 * Returns the definitions that paths lead to, as absolute paths without repetitions, sorted: a file, whatever its name
 * is; a folder, with all folders in it; a glob. Links to folders are not followed. Throws a {@link CheckError} for a
 * path that leads to nothing.
 */
export async function findFiles(paths: readonly string[], cwd: string): Promise<string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    const files = await findAt(path, cwd)
    for (const file of files) found.add(file)
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1))
}

async function findAt(path: string, cwd: string): Promise<string[]> {
  const whole = resolve(cwd, path)
  const facts = await stat(whole).catch(() => undefined)
  if (facts?.isDirectory()) return walk(whole)
  if (facts) return [whole]
  if (!GLOB.test(path)) throw new CheckError(`There is no file or folder "${path}".`)
  const files = await expand(path, cwd)
  if (files.length === 0) throw new CheckError(`No definition fits "${path}".`)
  return files
}

/** Returns the definitions whose paths match a glob. */
async function expand(glob: string, cwd: string): Promise<string[]> {
  const { base, glob: rest } = picomatch.scan(glob.replaceAll('\\', '/'))
  const fits = picomatch(rest, { dot: true })
  const folder = resolve(cwd, base)
  const facts = await stat(folder).catch(() => undefined)
  if (!facts?.isDirectory()) return []
  const files = await walk(folder)
  return files.filter((file) => fits(file.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '')))
}

async function walk(folder: string): Promise<string[]> {
  const found: string[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) found.push(...(await walk(path)))
    } else if (
      isDefinition(path) &&
      (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path))))
    )
      found.push(path)
  }
  return found
}

const leadsToFile = async (link: string): Promise<boolean> =>
  (await stat(link).catch(() => undefined))?.isFile() ?? false
