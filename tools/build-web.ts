import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Builds the web app into apps/web/dist, unless the build there is newer than all its sources.
 * `npm ci`, `npm start` and `npm test` run it.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const MADE_OF = [
  'apps/web/{index.html,player.html,package.json,vite.config.ts,vite.player.config.ts}',
  'apps/web/{src,public}/**/*',
  'packages/{client,contract,diff,document,inflate,model,passwords,scene,solver,tables}/src/**/*',
  'package-lock.json',
]
const NO_PART = ['**/*.test.ts', '**/testing/**']

const changedAt = (path: string) => statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
const newest = Math.max(...globSync(MADE_OF, { cwd: root, exclude: NO_PART }).map(changedAt))

// The player is built last.
if (newest > changedAt('apps/web/dist/player.html')) {
  process.stderr.write('Building the web app …\n')
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  for (const config of ['vite.config.ts', 'vite.player.config.ts']) {
    const options = ['build', 'apps/web', '--config', `apps/web/${config}`, '--logLevel', 'warn']
    const { status, error } = spawnSync(process.execPath, [vite, ...options], { cwd: root, stdio: 'inherit' })
    if (error) throw error
    if (status !== 0) {
      process.exitCode = status ?? 1
      break
    }
  }
}
