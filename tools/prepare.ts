import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleModules } from './bundle-modules.ts'
import { findVite } from './find-vite.ts'
import { tidyModules } from './tidy-modules.ts'

/*
 * Completes an installation: `npm ci` runs it, and `npm start`, for those who install without scripts.
 *
 * - What nothing here reads is removed from node_modules: the C++ headers of the Node that npm brings (67 MB), the source maps
 *   of packages and, where no development dependencies are installed, their type declarations (30 MB each).
 * - Packages of many small modules are bundled, where the development dependencies are installed.
 * - The web app, the HTML report and the files for clients are built, unless they are newer than their sources.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

const modules = join(root, 'node_modules')
if (tidyModules(modules, findVite() === undefined)) await bundleModules(modules)

for (const builder of ['build-web.ts', 'build-html-report.ts', 'packages/build-clients.ts']) {
  const { status, error } = spawnSync(process.execPath, [join(root, 'tools', builder)], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) {
    process.exitCode = status ?? 1
    break
  }
}
