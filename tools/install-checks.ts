import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Installs the packages of checks/, unless the ones that its package-lock.json names are there. `npm run test:all`
 * runs it.
 */

const folder = fileURLToPath(new URL('../checks', import.meta.url))
/** The copy of the package-lock.json from which the packages were installed. */
const installed = join(folder, 'node_modules/.installed-lock.json')

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const wanted = read(join(folder, 'package-lock.json'))
if (wanted !== read(installed)) {
  process.stderr.write('Installing the programs of checks/ …\n')
  // The npm that runs this script is preferred. None of the packages needs a script of its own.
  const npm = process.env.npm_execpath
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  const { status, error } = spawnSync(command!, [...before!, 'ci', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (error) throw error
  if (status === 0) writeFileSync(installed, wanted!)
  else {
    process.stderr.write('The programs of checks/ could not be installed; npm says why above.\n')
    process.exitCode = 1
  }
}
