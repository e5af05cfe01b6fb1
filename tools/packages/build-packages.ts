import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { listEntries, type Manifest, toPublishedManifest, type Workspace } from './published-manifest.ts'

/*
 * Builds the packages that others install into dist/packages, one folder each, ready for `npm publish`, and packs them
 * into dist/tarballs, which install together without a registry that has them:
 *
 *   npm run build:packages
 *   npm run build:packages -- --version 0.2.0   only if the packages have this version, and the changelog says what is in it
 *
 * A package is plain JavaScript for Node 20 and browsers, file by file as in the sources (`dist/`), with types, and
 * source maps that lead to the sources (`src/`). The workspace itself runs the sources and needs no build.
 */

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every package, and the command. */
const PUBLISHED = ['packages/*/package.json', 'apps/cli/package.json']

/** The built-in objects that Node 20 has, with those of browsers; `using` is compiled. */
const LIBRARIES = ['es2023', 'es2024.string', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable']

/** The path `'./x.ts'` in an import of types, or in the address of a module: the compiler leaves both as they are. */
const IMPORTED_TYPES = /((?:\bfrom|\bimport)\s*\(?\s*)(['"])(\.[^'"\n]*)\.ts\2/g
export const MODULE_ADDRESS = /(new URL\()(['"])(\.[^'"\n]*)\.ts\2(?=,\s*import\.meta\.url)/g

/** The import of a package's own version: imports of JSON are new in browsers, and Node 20 warns about them. */
const OWN_MANIFEST = /^import (\w+) from '(?:\.\.\/)+package\.json' with \{ type: 'json' \};$/m

/** Lists the workspaces that are published, in the order of their folders. */
export function listWorkspaces(): Workspace[] {
  return globSync(PUBLISHED, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => ({
      folder: dirname(file),
      manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
    }))
}

/**
 * Builds packages, all unless given, into folders of `target`, which is emptied before, and returns these folders.
 * Throws with the messages of the compiler.
 */
export function buildPackages(
  target: string,
  repository?: string,
  workspaces: readonly Workspace[] = listWorkspaces(),
): string[] {
  const scratch = mkdtempSync(join(tmpdir(), 'meadow-packages-'))
  // This builds the page of `meadow diff --html`, unless it is up to date.
  execFileSync(process.execPath, [join(root, 'tools/build-html-report.ts')], { stdio: 'inherit' })
  rmSync(target, { recursive: true, force: true })
  try {
    const compiled = compile(workspaces, scratch)
    mkdirSync(join(target, 'node_modules/@meadow'), { recursive: true })
    return workspaces.map((workspace) => {
      const folder = join(target, basename(workspace.folder))
      assemble(workspace, join(compiled, workspace.folder, 'src'), folder)
      writeJson(join(folder, 'package.json'), toPublishedManifest(workspace, repository))
      // A built package that is run in its folder uses the other built packages, and not the sources of this clone.
      symlinkSync(folder, join(target, 'node_modules', workspace.manifest.name), 'junction')
      return folder
    })
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Compiles everything that the entry points of packages reach, in one run. Returns the folder with the results. */
function compile(workspaces: readonly Workspace[], scratch: string): string {
  const compiled = join(scratch, 'compiled')
  const sources = workspaces.flatMap(({ folder, manifest }) => [
    ...listSources({ folder, manifest }).flatMap(([, files]) => files.flatMap(expand)),
    ...(manifest.bin ? [join(root, folder, 'src/main.ts')] : []),
    ...globSync('src/**/*.ts', {
      cwd: join(root, folder),
      exclude: ['**/testing/**', '**/*.test.ts'],
    }).flatMap((source) => listFurther(join(root, folder, source))),
  ])
  // The types of Node 20 replace those of the workspace, even where a library asks for these.
  mkdirSync(join(scratch, 'types'))
  symlinkSync(join(root, 'node_modules/node-20-types'), join(scratch, 'types/node'), 'junction')
  writeJson(join(scratch, 'tsconfig.json'), {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      target: 'es2022',
      lib: LIBRARIES,
      types: ['node'],
      typeRoots: [join(scratch, 'types')],
      // The links in node_modules would make packages look like those of others, whose sources are not compiled.
      paths: Object.fromEntries(listWorkspaces().flatMap(listSources)),
      noEmit: false,
      declaration: true,
      declarationMap: true,
      sourceMap: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      rootDir: root,
      outDir: compiled,
    },
    files: sources,
    include: [],
    exclude: [],
  })
  const compiler = createRequire(import.meta.url).resolve('@typescript/native/package.json')
  try {
    execFileSync(process.execPath, [join(dirname(compiler), 'bin/tsc'), '--project', scratch], {
      cwd: root,
      encoding: 'utf8',
    })
  } catch (error) {
    throw new Error(`The packages cannot be compiled:\n${(error as { stdout: string }).stdout}`)
  }
  return compiled
}

/**
 * Lists what no module imports, so that the compiler needs its name: the modules that a file loads by their address, as
 * threads and child processes do, and the file itself if it has the types of a library that has none.
 */
function listFurther(file: string): string[] {
  if (file.endsWith('.d.ts')) return [file]
  const addresses = readFileSync(file, 'utf8').matchAll(MODULE_ADDRESS)
  return [...addresses].map(([, , , path]) => join(dirname(file), `${path}.ts`))
}

/** Returns the files of a source, which is a pattern where each file below a folder is an entry point. */
const expand = (source: string): string[] =>
  globSync(source.replace('/*.ts', '/**/*.ts'), {
    exclude: ['**/*.test.ts', '**/testing/**', '**/testing.ts'],
  })

/** Lists the import of each entry point of a package, with its source. */
function listSources({ folder, manifest }: Workspace): [specifier: string, sources: string[]][] {
  return listEntries(manifest).map(([entry, source]) => [
    join(manifest.name, entry).replaceAll('\\', '/'),
    [join(root, folder, source)],
  ])
}

/** Puts the compiled files, their sources and the pages of a package together. */
function assemble({ folder, manifest }: Workspace, compiled: string, target: string): void {
  const dist = join(target, 'dist')
  mkdirSync(target, { recursive: true })
  renameOrCopy(compiled, dist)
  for (const file of globSync('**/*', { cwd: dist })) finish(join(dist, file), dist, manifest)
  for (const file of globSync('**/*.js', { cwd: dist })) {
    const source = file.replace(/\.js$/, '.ts')
    cpSync(join(root, folder, 'src', source), join(target, 'src', source))
  }
  if (manifest.bin) {
    makeCommand(join(dist, 'main.js'))
    const assets = join(root, folder, 'assets')
    if (existsSync(assets)) cpSync(assets, join(target, 'assets'), { recursive: true })
  }
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  for (const page of ['README.md', 'SPEC.md'].filter((name) => existsSync(join(root, folder, name)))) {
    copyFileSync(join(root, folder, page), join(target, page))
  }
}

/** Renames a file or folder, or copies it, since the folder of temporary files may be on another disk. */
function renameOrCopy(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    cpSync(from, to, { recursive: true })
  }
}

/** Completes a compiled file: names of files that end in `.ts`, the version, and the way from a source map to its source. */
function finish(file: string, dist: string, { name, version }: Manifest): void {
  if (file.endsWith('.map')) writeJson(file, withSource(file, dist))
  if (!/\.(js|d\.ts)$/.test(file)) return
  const text = readFileSync(file, 'utf8')
  const finished = file.endsWith('.js')
    ? text
        .replace(MODULE_ADDRESS, '$1$2$3.js$2')
        .replace(OWN_MANIFEST, (_, local) => `const ${local} = ${JSON.stringify({ name, version })};`)
    : text.replace(IMPORTED_TYPES, '$1$2$3.js$2')
  if (finished !== text) writeFileSync(file, finished)
}

/** Lets systems run a file as a command. Its first line is new, so those of the source map move by one. */
function makeCommand(file: string): void {
  writeFileSync(file, `#!/usr/bin/env node\n${readFileSync(file, 'utf8')}`)
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { mappings: string }
  writeJson(`${file}.map`, { ...map, mappings: `;${map.mappings}` })
}

/** Returns a source map whose source is below `src`, at the place where its file is below `dist`. */
function withSource(file: string, dist: string): object {
  const source = join(dist, '../src', relative(dist, file).replace(/(\.d\.ts|\.js)\.map$/, '.ts'))
  const path = relative(dirname(file), source).replaceAll('\\', '/')
  return { ...JSON.parse(readFileSync(file, 'utf8')), sources: [path] }
}

export function writeJson(file: string, value: object): void {
  const indent = file.endsWith('.map') ? undefined : 2
  writeFileSync(file, `${JSON.stringify(value, undefined, indent)}\n`)
}

/** Returns the address of the project if GitHub builds it. */
export function findRepository(): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
  return GITHUB_SERVER_URL && GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
}

/** Packs built packages into files of `folder`, which is emptied before, and returns the paths of these. */
export function pack(folders: readonly string[], folder: string): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync(
    'npm',
    [
      'pack',
      ...folders,
      '--pack-destination',
      folder,
      '--ignore-scripts',
      '--loglevel=error',
      '--no-update-notifier',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  )
  return globSync('*.tgz', { cwd: folder }).map((file) => join(folder, file))
}

/** Throws unless all packages have one version, `wanted` where it is given, and CHANGELOG.md says what is in it. */
export function checkThisRelease(wanted: string | undefined): void {
  const versions = listWorkspaces().map(({ manifest }) => manifest.version)
  checkRelease(
    wanted === undefined ? versions : [wanted, ...versions],
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  )
}

/** Throws unless all versions are the same, and the changelog has a section on it. */
export function checkRelease(versions: readonly string[], changelog: string): void {
  const [version, ...others] = new Set(versions)
  if (version === undefined || others.length > 0) {
    throw new Error(`All packages have one version; these are ${[version, ...others].join(', ')}.`)
  }
  if (!changelog.split('\n').some((line) => line.startsWith('## ') && line.includes(version))) {
    throw new Error(`CHANGELOG.md has no section "## ${version}".`)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { version: { type: 'string' } } })
  if (values.version !== undefined) checkThisRelease(values.version)
  const folders = buildPackages(join(root, 'dist/packages'), findRepository())
  const files = pack(folders, join(root, 'dist/tarballs'))
  process.stdout.write(`${[...folders, ...files].map((path) => relative(root, path)).join('\n')}\n`)
}
