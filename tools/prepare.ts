import { spawnSync } from 'node:child_process'
import { globSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findVite } from './find-vite.ts'

/*
 * Completes an installation: `npm ci` runs it, and `npm start`, for those who install without scripts.
 *
 * - What nothing here reads is removed from node_modules: the C++ headers of the Node that npm brings (67 MB), the source maps
 *   of packages and, where no development dependencies are installed, their type declarations (30 MB each).
 * - The web app and the page of differences are built, unless they are newer than their sources.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
/** Says that the installation was tidied; `npm ci` starts from nothing. */
const TIDIED = '.tidied'

tidy()
for (const builder of ['build-web.ts', 'build-diff-page.ts']) {
  const { status, error } = spawnSync(process.execPath, [join(root, 'tools', builder)], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) {
    process.exitCode = status ?? 1
    break
  }
}

function tidy(): void {
  const folders = readdirSync(modules)
  if (folders.includes(TIDIED)) return
  for (const headers of globSync('node-*-*/include', { cwd: modules }))
    rmSync(join(modules, headers), { recursive: true })
  const unread = findVite() ? /\.map$/ : /\.map$|\.d\.[cm]?ts$/
  // The packages of this repository are links, which are not followed.
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && unread.test(entry.name)) rmSync(join(entry.parentPath, entry.name))
  writeFileSync(join(modules, TIDIED), '')
}
