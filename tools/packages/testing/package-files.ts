import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A built package: its folder and its published package.json. */
export interface BuiltPackage {
  folder: string
  manifest: {
    name: string
    version: string
    engines: { node: string }
    exports: Record<string, string | { types: string; default: string }>
    bin?: Record<string, string>
    dependencies: Record<string, string>
    peerDependencies?: Record<string, string>
    peerDependenciesMeta?: Record<string, { optional?: boolean }>
  }
}

export const readPackage = (folder: string): BuiltPackage => ({
  folder,
  manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
})

/** The files below a folder, by their paths from it with slashes. */
export const listFiles = (folder: string): string[] =>
  globSync('**/*.*', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))

/** The entry points of a package as a program imports them: `@meadow/client/live`, and their compiled files. */
export function listImports({ folder, manifest }: BuiltPackage): [specifier: string, file: string][] {
  return Object.entries(manifest.exports).flatMap(([entry, target]): [string, string][] => {
    if (typeof target === 'string') return []
    const specifier = manifest.name + entry.slice(1)
    if (!entry.endsWith('*')) return [[specifier, target.default]]
    const [before, after] = target.default.split('*') as [string, string]
    return globSync(`**/*${after}`, { cwd: join(folder, before) })
      .map((file) => file.replaceAll('\\', '/'))
      .map((file) => [specifier.slice(0, -1) + file.slice(0, -after.length), before + file])
  })
}

/** What each file that was read imports. */
const imported = new Map<string, readonly string[]>()

/** What a compiled file imports, in code or types. A file is read once. */
export function readImported(file: string): readonly string[] {
  const known = imported.get(file) ?? parseImported(file)
  imported.set(file, known)
  return known
}

function parseImported(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const { staticImports, staticExports, dynamicImports } = module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^['"](.+)['"]$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
    // Types such as `import('./graph.ts').Graph`, which the parser does not list.
    ...[...text.matchAll(/[:<|&=] *(?:typeof )?import\(['"]([^'"]+)['"]\)/g)].map(
      ([, specifier]) => specifier!,
    ),
  ]
}

/** `@scope/name/part` → `@scope/name`. */
export const toPackageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/**
 * What the files that an entry point reaches import from elsewhere: modules of Node and libraries. Goes through the
 * `entries` of all built packages, which are files by specifiers.
 */
export function listReached(file: string, entries: ReadonlyMap<string, string>): Set<string> {
  const seen = new Set<string>()
  const elsewhere = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const specifier of readImported(path)) {
      const own = specifier.startsWith('.')
        ? normalize(join(dirname(path), specifier))
        : entries.get(specifier)
      if (own) visit(own)
      else elsewhere.add(specifier)
    }
  }
  visit(file)
  return elsewhere
}
