import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { findVite } from './find-vite.ts'
import { isStale } from './is-stale.ts'

/*
 * Builds the web app into apps/web/dist, with its assets also compressed, unless the build there is newer than all its
 * sources. `npm ci`, `npm start` and `npm test` run it. Where Vite is not installed, it leaves everything as it is and says
 * so: the server works without.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const MADE_OF = [
  'apps/web/{index.html,player.html,package.json,vite.config.ts,vite.player.config.ts}',
  'apps/web/{src,public}/**/*',
  'packages/{client,contract,diff,document,drawing,geometry,inflate,model,passwords,solver,tables}/src/**/*',
  'package-lock.json',
  'tools/build-web.ts',
]
// Vite makes it last; the compressed assets, which the server works without, come after it.
const PLAYER = 'apps/web/dist/player.html'

const isOld = isStale(root, PLAYER, MADE_OF)
const vite = findVite()

if (isOld && vite === undefined) {
  // In an installation for production, the build was copied from another machine, so its time may be before that of the
  // sources.
  if (!existsSync(join(root, PLAYER)))
    process.stderr.write(
      'The web app is not built, since Vite is a development dependency. The API works without it. To have the web app, ' +
        'run `npm ci` without `--omit=dev`, or copy apps/web/dist from where that was done.\n',
    )
} else if (isOld) {
  process.stderr.write('Building the web app …\n')
  for (const config of ['vite.config.ts', 'vite.player.config.ts']) {
    const options = ['build', 'apps/web', '--config', `apps/web/${config}`, '--logLevel', 'warn']
    const { status, error } = spawnSync(process.execPath, [vite!, ...options], {
      cwd: root,
      stdio: 'inherit',
    })
    if (error) throw error
    if (status !== 0) {
      process.exitCode = status ?? 1
      break
    }
  }
  // Here, and not by the server, which compresses in less time: its first visitor waits for it.
  const assets = globSync('apps/web/dist/assets/*.{js,css,svg,wasm}', { cwd: root })
  const compress = promisify(brotliCompress)
  await Promise.all(
    assets.map(async (asset) =>
      writeFile(join(root, `${asset}.br`), await compress(await readFile(join(root, asset)))),
    ),
  )
}
