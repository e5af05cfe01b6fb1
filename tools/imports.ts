import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { ImportRule } from './import-rules.ts'

export const ROOTS = ['apps', 'packages', 'bench', 'tools']
const TEST = /\.test\.tsx?$|(^|\/)testing[/.]/

/** A file and what it imports. Paths begin below the root. */
export interface ImportingFile {
  source: string
  imports: Import[]
}

interface Import {
  /** As it is written. */
  specifier: string
  /** The file of this repository; undefined for Node and packages of others. */
  file?: string
  /** Nothing is left of it when types are removed. */
  isType: boolean
  /** There is no such file or package. */
  isMissing: boolean
}

/** Each file with the files that import it. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

/** The imports of all files below ROOTS: static, dynamic and of types. */
export function readImports(root: string): ImportingFile[] {
  const sources = globSync(`{${ROOTS.join(',')}}/**/*.{ts,tsx,js,mjs}`, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  })
  const packages = readPackages(root)
  return sources.sort().map((source) => ({
    source,
    imports: parseImports(source, readFileSync(join(root, source), 'utf8')).map((found) =>
      resolveImport(root, packages, source, found),
    ),
  }))
}

type WrittenImport = Pick<Import, 'specifier' | 'isType'>

/** What a file imports, in code or types, as it is written there. */
export function parseImports(source: string, text: string): WrittenImport[] {
  const { module, errors } = parseSync(source, text)
  if (errors.length > 0) throw new Error(`${source}: ${errors[0]!.message}`)
  const { staticImports, staticExports, dynamicImports } = module
  return [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, isType }] : [],
      ),
    ),
    ...dynamicImports.flatMap(({ moduleRequest }) => {
      const [, specifier] =
        /^(?:'|")(.+)(?:'|")$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? []
      return specifier ? [{ specifier, isType: false }] : []
    }),
    // Types such as `import('./graph.ts').Graph`, which the parser does not list; dynamic imports are found twice.
    ...[...text.matchAll(/[:<|&=] *(?:typeof )?import\(['"]([^'"]+)['"]\)/g)].map(([, specifier]) => ({
      specifier: specifier!,
      isType: true,
    })),
  ]
}

/** By the name of a package of ours: its folder and what it exports; undefined: every file. */
type OwnPackages = ReadonlyMap<string, { folder: string; exports?: Readonly<Record<string, string>> }>

function readPackages(root: string): OwnPackages {
  return new Map(
    globSync('{apps,packages}/*/package.json', { cwd: root }).map((file) => {
      const { name, exports } = JSON.parse(readFileSync(join(root, file), 'utf8'))
      return [
        name,
        { folder: dirname(file), exports: typeof exports === 'string' ? { '.': exports } : exports },
      ]
    }),
  )
}

function resolveImport(root: string, packages: OwnPackages, source: string, written: WrittenImport): Import {
  // Vite reads what is behind the question mark.
  const path = written.specifier.replace(/\?.*$/, '')
  if (isBuiltin(path)) return { ...written, isMissing: false }
  if (path.startsWith('.')) {
    const file = posix.join(posix.dirname(source), path)
    return { ...written, file, isMissing: !existsSync(join(root, file)) }
  }
  const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
  const own = packages.get(name)
  if (own) {
    const wanted = `.${path.slice(name.length)}`
    const exported = own.exports ? own.exports[wanted] : wanted
    if (exported === undefined) return { ...written, isMissing: true }
    const file = posix.join(own.folder, exported)
    return { ...written, file, isMissing: !existsSync(join(root, file)) }
  }
  const folders = source.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))
  // Types alone can be those of DefinitelyTyped.
  const places = [name, ...(written.isType ? [`@types/${name.replace('@', '').replace('/', '__')}`] : [])]
  const isInstalled = folders.some((folder) =>
    places.some((place) => existsSync(join(root, folder, 'node_modules', place))),
  )
  return { ...written, isMissing: !isInstalled && !name.startsWith('#') && !name.startsWith('virtual:') }
}

/** A sentence for each import that a rule forbids, that is not found, or that goes round in a circle. */
export function findForbidden(files: readonly ImportingFile[], rules: readonly ImportRule[]): string[] {
  const forbidden = files.flatMap(({ source, imports }) => [
    ...imports
      .filter(({ isMissing }) => isMissing)
      .map(({ specifier }) => `every import is found: ${source} ▶ ${specifier}`),
    ...(TEST.test(source) ? [] : rules).flatMap((rule) => {
      const groups = rule.importers.exec(source)
      if (!groups) return []
      return imports
        .filter((one) => breaksRule(rule, groups, one))
        .map(({ specifier, file = specifier }) => `${rule.name}: ${source} ▶ ${file}`)
    }),
  ])
  return [...new Set(forbidden), ...findCircles(files).map((lines) => `no circles: ${lines.join('\n  ')}`)]
}

function breaksRule(rule: ImportRule, groups: RegExpExecArray, { specifier, file }: Import): boolean {
  if (rule.isPure && isBuiltin(specifier)) return true
  if (!rule.imported || !file || !/^(apps|packages)\//.test(file)) return false
  return !rule.imported.some((pattern) => new RegExp(pattern.replaceAll('$1', groups[1] ?? '')).test(file))
}

/** Circles of files that import more than types from each other. */
function findCircles(files: readonly ImportingFile[]): string[][] {
  const known = new Set(files.map(({ source }) => source))
  let edges = files.flatMap(({ source, imports }) =>
    imports
      .filter(({ file, isType }) => file && !isType && known.has(file))
      .map(({ file }) => [source, file!] as const),
  )
  // What imports nothing, or what nothing imports, is in no circle; after some rounds only circles are left.
  for (let count = -1; count !== edges.length; ) {
    count = edges.length
    const importing = new Set(edges.map(([from]) => from))
    const imported = new Set(edges.map(([, to]) => to))
    edges = edges.filter(([from, to]) => imported.has(from) && importing.has(to))
  }
  const importers = new Map<string, Set<string>>()
  for (const [from, to] of edges) getOrAdd(importers, to, () => new Set<string>()).add(from)
  return findCycles(importers, (importer, file) => [importer, file])
}

/** The source files with their importers, and the tests. Tests do not count as importers; imports of types do. */
export function readImporters(files: readonly ImportingFile[]) {
  const sources = files.map(({ source }) => source).filter((source) => /\.tsx?$/.test(source))
  const importers = new Map(
    sources.filter((file) => !TEST.test(file)).map((file) => [file, new Set<string>()]),
  )
  for (const { source, imports } of files) {
    if (!importers.has(source)) continue
    for (const { file } of imports) {
      if (file && file !== source) importers.get(file)?.add(source)
    }
  }
  return { files: [...importers.keys()], tests: sources.filter((file) => TEST.test(file)), importers }
}

/** The two sub-folders of their innermost common folder; undefined when one of the files is directly in that. */
export function splitSideBySide(importer: string, file: string): [string, string] | undefined {
  const [from, to] = [importer.split('/'), file.split('/')]
  let depth = 0
  while (from[depth] === to[depth]) depth++
  if (depth >= from.length - 1 || depth >= to.length - 1) return undefined
  return [from.slice(0, depth + 1).join('/'), to.slice(0, depth + 1).join('/')]
}

/**
 * The cycles in the graph of folders, shortest first, where each must contain a step that no earlier one was cut at: a
 * cycle is cut at the step with the fewest imports, since those would have to be reversed.
 * Returns the lines that describe a cycle: its folders, and some imports of that step.
 */
export function findCycles(
  importers: Importers,
  foldersOf: (importer: string, file: string) => [string, string] | undefined,
): string[][] {
  const imports: FolderImports = new Map()
  for (const [file, importersOfFile] of importers) {
    for (const importer of importersOfFile) {
      const [from, to] = foldersOf(importer, file) ?? []
      if (from === undefined || to === undefined || from === to) continue
      const targets = getOrAdd(imports, from, () => new Map<string, string[]>())
      getOrAdd(targets, to, () => []).push(`  ${importer} ▶ ${file}`)
    }
  }
  const cycles: string[][] = []
  for (let way = findShortestCycle(imports); way; way = findShortestCycle(imports)) {
    const steps = way.map((from, index) => ({ from, to: way![(index + 1) % way!.length]! }))
    const counted = steps.map((step) => ({ ...step, lines: imports.get(step.from)!.get(step.to)! }))
    const [fewest] = counted.toSorted((a, b) => a.lines.length - b.lines.length)
    const counts = counted.map(({ lines }) => lines.length).join(', ')
    cycles.push([`${[...way, way[0]].join(' ▶ ')} (${counts} imports)`, ...fewest!.lines.slice(0, 5)])
    imports.get(fewest!.from)!.delete(fewest!.to)
  }
  return cycles
}

type FolderImports = Map<string, Map<string, string[]>>

function findShortestCycle(imports: FolderImports): string[] | undefined {
  const ways = [...imports].flatMap(([from, targets]) =>
    [...targets.keys()].map((to) => findWay(imports, to, from)).filter((way) => way !== undefined),
  )
  return ways.sort((a, b) => a.length - b.length)[0]
}

/** The folders on the shortest way, both ends included. */
function findWay(imports: FolderImports, from: string, to: string): string[] | undefined {
  const ways = [[from]]
  const seen = new Set([from])
  for (const way of ways) {
    const last = way.at(-1)!
    if (last === to) return way
    for (const next of imports.get(last)?.keys() ?? []) {
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  if (!map.has(key)) map.set(key, create())
  return map.get(key)!
}
