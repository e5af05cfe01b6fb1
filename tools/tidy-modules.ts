import { existsSync, globSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file that marks a tidied installation. `npm ci` begins with an empty folder. */
const TIDIED = '.tidied'

/**
 * Removes everything that nothing reads from a folder node_modules: the C++ headers of the Node that npm brings, source
 * maps, and for production type declarations. The packages of this repository are links in it, which are not followed.
 * Returns whether the folder was not tidied before.
 */
export function tidyModules(folder: string, isProduction: boolean): boolean {
  const mark = join(folder, TIDIED)
  if (existsSync(mark)) return false
  for (const headers of globSync('node-*-*/include', { cwd: folder }))
    rmSync(join(folder, headers), { recursive: true })
  removeFiles(folder, isProduction ? /\.map$|\.d\.[cm]?ts$/ : /\.map$/)
  writeFileSync(mark, '')
  return true
}

function removeFiles(folder: string, unread: RegExp): void {
  // `recursive` is not used, since it follows links to folders.
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeFiles(path, unread)
    else if (entry.isFile() && unread.test(entry.name)) rmSync(path)
  }
}
