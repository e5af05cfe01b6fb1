import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

export const ROOTS = ['apps', 'packages', 'bench', 'tools']
const TEST = /\.test\.tsx?$|(^|\/)testing\//

/** Each file with the files that import it. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

/** Finds all imports, and those that break a rule of .dependency-cruiser.js. */
export async function cruiseImports(): Promise<ICruiseResult> {
  const { output } = await cruise(ROOTS, await extractDepcruiseOptions('./.dependency-cruiser.js'))
  return output as ICruiseResult
}

/**
 * Returns the source files with their importers, and the tests. Tests do not count as importers; imports of types do.
 */
export function readImporters({ modules }: ICruiseResult) {
  const sources = modules.map(({ source }) => source).filter((source) => /\.tsx?$/.test(source))
  const importers = new Map(
    sources.filter((file) => !TEST.test(file)).map((file) => [file, new Set<string>()]),
  )
  for (const { source, dependencies } of modules) {
    if (!importers.has(source)) continue
    for (const { resolved } of dependencies) {
      if (resolved !== source) importers.get(resolved)?.add(source)
    }
  }
  return { files: [...importers.keys()], tests: sources.filter((file) => TEST.test(file)), importers }
}

/**
 * Returns the two sub-folders of the files' innermost common folder; undefined when one of them is directly in that
 * folder.
 */
export function splitSideBySide(importer: string, file: string): [string, string] | undefined {
  const [from, to] = [importer.split('/'), file.split('/')]
  let depth = 0
  while (from[depth] === to[depth]) depth++
  if (depth >= from.length - 1 || depth >= to.length - 1) return undefined
  return [from.slice(0, depth + 1).join('/'), to.slice(0, depth + 1).join('/')]
}

/**
 * Finds the cycles in the graph of folders, shortest first, where each must contain a step that no earlier one was cut
 * at: a cycle is cut at the step with the fewest imports, since those would have to be reversed. Returns the lines that
 * describe a cycle: its folders, and some imports of that step.
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

/** Returns the folders on the shortest way, both ends included. */
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
