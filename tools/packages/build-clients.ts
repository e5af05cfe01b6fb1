import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { RolldownPlugin } from 'rolldown'
import { findVite } from '../find-vite.ts'
import { isStale } from '../is-stale.ts'
import { buildPackages, listWorkspaces, MODULE_ADDRESS, pack, root, writeJson } from './build-packages.ts'
import { type Manifest, toPublishedManifest, type Workspace } from './published-manifest.ts'
import { buildWheel } from './python-wheel.ts'

/*
 * Builds the files from which users install the clients of a server into dist/downloads, unless they are newer than
 * their sources. The server lists them at /downloads/. `npm ci` and `npm start` run this:
 *
 * - meadow.tgz: the command in a few files, with all that it needs.
 * - meadow-client.tgz: @meadow/client, as it is published, without its optional peers, which npm would look for.
 * - meadow-VERSION-py3-none-any.whl: the SDK for Python.
 *
 * Two builds of the same sources have the same bytes. Where the development dependencies are not installed, nothing
 * happens.
 */

const DOWNLOADS = 'dist/downloads'

const MADE_OF = [
  'apps/cli/{README.md,package.json,assets/*,src/**/*}',
  'packages/*/package.json',
  'packages/*/src/**/*',
  'packages/client/README.md',
  'sdks/python/{README.md,pyproject.toml,src/**/*.{py,typed}}',
  'tools/packages/*.ts',
  'package-lock.json',
  'LICENSE',
]

/** The libraries that read a WebAssembly file beside their module. They stay packages, inside of the tarball. */
const WITH_FILES = ['jq-web', 'manifold-3d', 'rhino3dm']

const LICENCE = /^licen[cs]e/i

/** Builds the files into a folder, which is replaced when all are there. Throws with what a builder says. */
export async function buildClients(target: string): Promise<void> {
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'meadow-clients-'))
  const within = (name: string) => join(scratch.path, name)
  const find = (folder: string) => listWorkspaces().find((workspace) => workspace.folder === folder)!
  const [cli, client] = [find('apps/cli'), find('packages/client')]
  // This also builds what the command has beside its modules.
  const { peerDependencies: _, peerDependenciesMeta: __, ...manifest } = client.manifest
  const built = buildPackages(within('packages'), undefined, [{ ...client, manifest }])
  const folders = [within('command'), ...built]
  await bundleCommand(cli, within('command'))
  for (const folder of folders) setModes(folder)
  const [command, library] = pack(folders, within('tarballs')).sort() as [string, string]
  const wheel = buildWheel(join(root, 'sdks/python'))
  const made = `${target}.new`
  for (const folder of [made, target]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(made, { recursive: true })
  copyFileSync(command, join(made, 'meadow.tgz'))
  copyFileSync(library, join(made, 'meadow-client.tgz'))
  writeFileSync(join(made, wheel.name), wheel.bytes)
  renameSync(made, target)
}

/** Gives files the same modes whatever those of the clone are: npm makes the command executable. */
function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), entry.isFile() ? 0o644 : 0o755)
}

/** Makes a package of the command that needs no other one. */
async function bundleCommand(cli: Workspace, target: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  await using build = await rolldown({
    cwd: root,
    input: { main: join(root, cli.folder, 'src/main.ts') },
    platform: 'node',
    external: WITH_FILES.flatMap((name) => [name, `${name}/${name}.wasm`]),
    transform: { target: 'node20' },
    plugins: [bundleFurther],
  })
  // Other files are one folder below, as in the sources: what is found from there is at the same place.
  const { output } = await build.write({
    dir: join(target, 'dist'),
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    banner: ({ fileName }) => (fileName === 'main.js' ? '#!/usr/bin/env node' : ''),
  })
  const dependencies = Object.fromEntries(
    WITH_FILES.map((name) => [name, copyLibrary(name, join(target, 'node_modules', name))]),
  )
  const manifest = toPublishedManifest({ ...cli, manifest: { ...cli.manifest, dependencies } })
  writeJson(join(target, 'package.json'), {
    ...manifest,
    files: [...manifest.files, 'LICENSES.txt'],
    bundleDependencies: WITH_FILES,
  })
  cpSync(join(root, cli.folder, 'assets'), join(target, 'assets'), { recursive: true })
  copyFileSync(join(root, cli.folder, 'README.md'), join(target, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(target, 'LICENSES.txt'), listLicences(modules))
}

/** Adds the modules that threads and child processes load by their addresses, and keeps these right. */
const bundleFurther: RolldownPlugin = {
  name: 'meadow-further-modules',
  transform(code, id) {
    return code.replace(MODULE_ADDRESS, (_, start, quote, path) => {
      const name = basename(path)
      this.emitFile({ type: 'chunk', id: join(dirname(id), `${path}.ts`), fileName: `parts/${name}.js` })
      return `${start}${quote}./${name}.js${quote}`
    })
  },
}

/** Copies what Node reads of a library, and returns its version. */
function copyLibrary(name: string, target: string): string {
  const source = join(root, 'node_modules', name)
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest & {
    main: string
  }
  mkdirSync(target, { recursive: true })
  const wasm = manifest.main.replace(/\.js$/, '.wasm')
  for (const file of ['package.json', manifest.main, wasm, ...listLicenceFiles(source)])
    copyFileSync(join(source, file), join(target, file))
  return manifest.version
}

const listLicenceFiles = (folder: string): string[] =>
  readdirSync(folder).filter((name) => LICENCE.test(name))

/** Lists the licences of the libraries whose modules were bundled. */
function listLicences(modules: readonly string[]): string {
  const folders = modules.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/')) ?? [],
  )
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Manifest
    const files = listLicenceFiles(folder).map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...files].join('\n\n')
  })
  return `The command contains these libraries.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

if (import.meta.main) {
  if (isStale(root, DOWNLOADS, MADE_OF) && findVite() !== undefined) {
    process.stderr.write('Building the files for clients …\n')
    await buildClients(join(root, DOWNLOADS))
  }
}
