import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'

/*
 * Gives all workspaces a version, also where they name each other, the Python SDK, and the pages that name it for CI,
 * and updates package-lock.json:
 *
 *   npm run set-version -- 0.2.0
 */

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

type Ranges = Record<string, string>

interface VersionedManifest {
  version?: string
  dependencies?: Ranges
  devDependencies?: Ranges
  peerDependencies?: Ranges
}

/** Returns the text of a package.json with another version of itself and of our packages. Its format stays. */
export function withVersion(text: string, version: string): string {
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version such as 0.2.0 or 1.0.0-rc.1.`)
  const manifest = JSON.parse(text) as VersionedManifest
  if (manifest.version !== undefined) manifest.version = version
  for (const ranges of [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies]) {
    for (const name of Object.keys(ranges ?? {})) if (name.startsWith('@meadow/')) ranges![name] = version
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

const PYTHON_PRERELEASES: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', rc: 'rc' }

/** Returns a version in Python's form: `1.0.0rc1`. Throws where Python has none. */
function toPythonVersion(version: string): string {
  const [, release, kind, count] = /^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$/.exec(version) ?? []
  if (release === undefined)
    throw new Error(`Python has no version "${version}": give one such as 0.2.0, 1.0.0-beta.1 or 1.0.0-rc.1.`)
  return kind === undefined ? release : `${release}${PYTHON_PRERELEASES[kind]}${count}`
}

/** Returns the text of the Python SDK's _version.py, or of a page that names its wheel, with another version. */
export const withPythonVersion = (text: string, version: string): string =>
  text
    .replace(/^VERSION = ".*"$/m, `VERSION = "${toPythonVersion(version)}"`)
    .replace(/\bmeadow-\d[\w.]*-py3/g, `meadow-${toPythonVersion(version)}-py3`)

/** Returns the text of a page about the use of the command in CI, with another version of Meadow. */
export const withCommandVersion = (text: string, version: string): string =>
  text.replace(/((?:integrations\/github-action@|re[vf]: |--branch )v)\d[\w.-]*/g, `$1${version}`)

const COMMAND_FILES = ['docs/check.md', 'docs/recipes/github-action.md', 'integrations/*/README.md']

const PYTHON_FILES = ['sdks/python/src/meadow/_version.py', 'sdks/python/README.md', 'README.md']

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2)
  for (const file of PYTHON_FILES) writeFileSync(file, withPythonVersion(readFileSync(file, 'utf8'), version))
  for (const file of globSync(COMMAND_FILES))
    writeFileSync(file, withCommandVersion(readFileSync(file, 'utf8'), version))
  for (const file of globSync(['package.json', '{apps,packages}/*/package.json', 'bench/package.json'])) {
    writeFileSync(file, withVersion(readFileSync(file, 'utf8'), version))
  }
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}
