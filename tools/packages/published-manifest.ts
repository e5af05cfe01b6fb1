/** The part of a workspace's package.json that is read here. */
export interface Manifest {
  name: string
  version: string
  description: string
  license: string
  /**
   * A source file of the workspace for each entry point, or one for the only one. In `./*`, the star stands for the path
   * of a file below a folder.
   */
  exports?: string | Readonly<Record<string, string>>
  /** The command; its package exports `./main`, or has `src/main.ts`. */
  bin?: Readonly<Record<string, string>>
  sideEffects?: boolean
  keywords?: readonly string[]
  dependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

/** A workspace that is published: its folder from the root, and its package.json. */
export interface Workspace {
  folder: string
  manifest: Manifest
}

/** The oldest Node that published packages run on: `crc32` of node:zlib came with 20.15. */
const OLDEST_NODE = '>=20.15'

/** The path of the compiled command in a package. */
const COMMAND = './dist/main.js'

/** Lists the entry points of a package with their source files: `.` → `./src/index.ts`. */
export function listEntries({ exports = {} }: Manifest): [name: string, source: string][] {
  return typeof exports === 'string' ? [['.', exports]] : Object.entries(exports)
}

/** Returns the path of a compiled file: `./src/live/index.ts` → `./dist/live/index.js`. */
const toCompiled = (source: string, extension: '.js' | '.d.ts'): string =>
  source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, extension)

/**
 * Returns the package.json that is published. Its entry points are the compiled files, and it lacks everything that
 * concerns only the workspace. `repository` is the address of the sources, which npm compares with the place where a
 * release was built.
 */
export function toPublishedManifest({ folder, manifest }: Workspace, repository?: string) {
  const { name, version, description, keywords, license, sideEffects, dependencies = {} } = manifest
  const entries = listEntries(manifest).map(([entry, source]) => [
    entry,
    { types: toCompiled(source, '.d.ts'), default: toCompiled(source, '.js') },
  ])
  return {
    name,
    version,
    description,
    keywords,
    license,
    repository: repository && { type: 'git', url: `git+${repository}.git`, directory: folder },
    type: 'module',
    engines: { node: OLDEST_NODE },
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    bin: manifest.bin && Object.fromEntries(Object.keys(manifest.bin).map((command) => [command, COMMAND])),
    files: ['dist', 'src', ...(manifest.bin ? ['assets'] : [])],
    sideEffects,
    // The versions are exact, as they were tested: a later version of a library may not fit, or may need packages that
    // an installation lacks.
    dependencies,
    peerDependencies: manifest.peerDependencies,
    peerDependenciesMeta: manifest.peerDependenciesMeta,
    publishConfig: { access: 'public', provenance: true },
  }
}
