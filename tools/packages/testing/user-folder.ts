import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Manifest } from '../published-manifest.ts'

/** Where a user of the packages works: an empty folder, npm without its settings of this run, and a Node. */
export interface UserSystem {
  /** Variables for npm and programs; the first Node on the path is the user's. */
  env: NodeJS.ProcessEnv
  folder: string
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** The folders of the path, without those in which npm puts the Node of this workspace. */
const listPath = () =>
  (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))

/** The system's own Node, which may be older than the one that runs the tests; undefined where there is none. */
export function findSystemNode(): string | undefined {
  const names = process.platform === 'win32' ? ['node.exe'] : ['node']
  return listPath()
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** A system that installs from a registry, with its own cache. Nothing is tried again: the registry is on this machine. */
export function createUserSystem(folder: string, registry: string): UserSystem {
  const settings = join(folder, 'npmrc')
  writeFileSync(settings, `//${new URL(registry).host}/:_authToken=test\n`)
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_)/i.test(name))
  return {
    folder,
    env: {
      ...Object.fromEntries(inherited),
      PATH: listPath().join(delimiter),
      npm_config_userconfig: settings,
      npm_config_cache: join(folder, 'cache'),
      npm_config_registry: registry,
      npm_config_fetch_retries: '0',
      npm_config_engine_strict: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
    },
  }
}

/** Installs packages in an empty folder and returns its path. Throws with what npm says. */
export async function install(
  system: UserSystem,
  name: string,
  packages: readonly string[],
): Promise<string> {
  const folder = createUserFolder(system, name, {})
  await runNpm(system, folder, ['install', ...packages])
  return folder
}

/**
 * Installs each package alone in a folder of its own: a package finds only what it needs. Returns the folders by package.
 * Throws with what npm says.
 */
export async function installAlone(
  system: UserSystem,
  packages: readonly Pick<Manifest, 'name' | 'peerDependenciesMeta'>[],
): Promise<Map<string, string>> {
  const folders = new Map<string, string>()
  const together = createUserFolder(system, 'alone', { workspaces: ['user-*'] })
  for (const [index, { name, peerDependenciesMeta }] of packages.entries()) {
    const user = `user-${index}`
    // A run of npm for several packages would give this one the optional peers that others need.
    if (peerDependenciesMeta) folders.set(name, await install(system, user, [name]))
    else {
      const manifest = { name: user, version: '1.0.0', dependencies: { [name]: '*' } }
      folders.set(name, createUserFolder(system, `alone/${user}`, manifest))
    }
  }
  // What several packages need is unpacked once, and linked to each of them. Nothing is where another one finds it.
  await runNpm(system, together, ['install', '--install-strategy=linked'])
  return folders
}

function createUserFolder(system: UserSystem, name: string, manifest: object): string {
  const folder = join(system.folder, 'users', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }))
  return folder
}

async function runNpm({ env }: UserSystem, folder: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await run('npm', args, folder, env)
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stderr}`)
}

/** Runs a program to its end; one that would run until it is stopped is, when it prints something. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { stopsWhenItPrints = false } = {},
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd,
    env,
    shell: command === 'npm' && process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (stopsWhenItPrints) child.stdout.once('data', () => child.kill('SIGTERM'))
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code: code ?? 1, stdout, stderr }
}
