import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'

/*
 * Gives all workspaces a version, also where they name each other, and updates package-lock.json:
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

/** The text of a package.json with another version of itself and of our packages; its format stays. */
export function withVersion(text: string, version: string): string {
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version such as 0.2.0 or 1.0.0-rc.1.`)
  const manifest = JSON.parse(text) as VersionedManifest
  if (manifest.version !== undefined) manifest.version = version
  for (const ranges of [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies]) {
    for (const name of Object.keys(ranges ?? {})) if (name.startsWith('@meadow/')) ranges![name] = version
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2)
  for (const file of globSync(['package.json', '{apps,packages}/*/package.json', 'bench/package.json'])) {
    writeFileSync(file, withVersion(readFileSync(file, 'utf8'), version))
  }
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}
