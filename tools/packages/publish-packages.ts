import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildPackages, checkThisRelease, findRepository } from './build-packages.ts'

/*
 * Builds all packages and publishes those whose version the registry does not have yet, so that an interrupted release
 * is finished by running it again:
 *
 *   npm run publish:packages -- --dry-run             says what would be published
 *   npm run publish:packages -- --no-provenance       from a machine, as the first release of a package
 *   npm run publish:packages -- --registry <url>      instead of registry.npmjs.org
 *   npm run publish:packages -- --version 0.2.0       only if the packages have this version
 */

const NPM = 'https://registry.npmjs.org'

export interface PublishOptions {
  registry: string
  /**
   * Whether the packages are signed with the commit and the workflow that they come from, which only works in a
   * workflow.
   */
  provenance: boolean
  /** The settings of npm for this run, such as a token, as `npm_config_…` variables. */
  env?: NodeJS.ProcessEnv
  /** Where the output of npm goes; by default to the terminal. */
  output?: 'inherit' | 'ignore'
}

interface Published {
  name: string
  version: string
}

/** Lists the built packages whose version the registry does not have. Throws where the registry does not answer. */
export async function listUnpublished(folders: readonly string[], registry: string): Promise<string[]> {
  const isMissing = await Promise.all(
    folders.map(async (folder) => {
      const { name, version } = readManifest(folder)
      const response = await fetch(`${registry.replace(/\/$/, '')}/${name.replace('/', '%2f')}`)
      if (response.status === 404) return true
      if (!response.ok) throw new Error(`${registry} answers ${response.status} for ${name}.`)
      const { versions } = (await response.json()) as { versions: Record<string, unknown> }
      return !(version in versions)
    }),
  )
  return folders.filter((_, index) => isMissing[index])
}

/** Publishes built packages, all in the folder `target`, in one run of npm. */
export async function publish(
  target: string,
  folders: readonly string[],
  { registry, provenance, env = process.env, output = 'inherit' }: PublishOptions,
): Promise<void> {
  const workspace = join(target, 'package.json')
  const workspaces = folders.map((folder) => basename(folder))
  writeFileSync(workspace, JSON.stringify({ name: 'meadow-release', private: true, workspaces }))
  try {
    const npm = spawn(
      'npm',
      ['publish', '--workspaces', '--registry', registry, `--provenance=${provenance}`, '--loglevel=error'],
      { cwd: target, stdio: output, shell: process.platform === 'win32', env },
    )
    const [code] = await once(npm, 'exit')
    if (code !== 0) throw new Error(`npm publish ended with code ${code}. Run this again to go on.`)
  } finally {
    rmSync(workspace)
  }
}

function readManifest(folder: string): Published {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Published
}

if (import.meta.main) {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      provenance: { type: 'boolean', default: true },
      registry: { type: 'string', default: NPM },
      version: { type: 'string' },
    },
  })
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const target = join(root, 'dist/packages')
  checkThisRelease(values.version)
  const listed = await listUnpublished(buildPackages(target, findRepository()), values.registry)
  for (const { name, version } of listed.map(readManifest)) process.stdout.write(`${name}@${version}\n`)
  if (listed.length > 0 && !values['dry-run'])
    await publish(target, listed, { registry: values.registry, provenance: values.provenance })
}
