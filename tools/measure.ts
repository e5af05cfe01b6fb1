import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { READING_GUIDE, readWalks } from './reading-guide.ts'

/*
 * Prints how much there is to read and how the files depend on each other, with the aim for each figure.
 *
 *   npm run measure             the figures
 *   npm run measure -- --list   the files and folders behind them too
 *   npm run measure -- --time   the processor time of `npm run check` and `npm test` too (runs both; needs bash)
 *
 * What counts as a file: every .ts and .tsx file below ROOTS that is neither a test nor below a folder `testing`.
 * An import counts whether it imports a value or only a type, and only when the importing file counts too.
 */

const ROOTS = ['apps', 'packages', 'bench', 'tools']
const TEST = /\.test\.tsx?$|(^|\/)testing\//
/** A file that only one other file of the same folder imports belongs into that file when it has fewer lines. */
const SHORT_LINES = 40
const FOLDER_FILES = 20

// `npm run measure -- --list | head` closes the pipe early.
process.stdout.on('error', () => process.exit())

const listsAll = process.argv.includes('--list')
const graph = await readImports()

process.stdout.write(
  `Counted are the ${graph.files.length} .ts and .tsx files of ${ROOTS.join(', ')} that are not tests or below testing/, ` +
    'and the imports between them, those of types alone included.\n\n',
)
measureWalks()
measureSingleImporters()
measureFolderCycles()
measureSizes()
if (process.argv.includes('--time')) {
  measureCpu('npm run check', 'at most 40 s after a small change')
  measureCpu('npm test', '')
}

/** The files that count with their importers, and the tests. */
async function readImports() {
  const { output } = await cruise(ROOTS, await extractDepcruiseOptions('./.dependency-cruiser.js'))
  const { modules } = output as ICruiseResult
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

function measureWalks(): void {
  const walks = readWalks()
  if (!walks) report(`files to read for a behaviour (${READING_GUIDE})`, 'no such page', '')
  for (const { name, aim, files } of walks ?? []) {
    report(`files to read: ${name}`, files.length, aim === undefined ? '' : `at most ${aim}`)
    list(files)
  }
}

function measureSingleImporters(): void {
  const { files, importers } = graph
  const single = files
    .filter((file) => importers.get(file)!.size === 1)
    .map((file) => ({ file, importer: [...importers.get(file)!][0]!, lines: countLines(file) }))
  const share = `${((100 * single.length) / files.length).toFixed(1)} %`
  report(
    'files imported by exactly one other file',
    `${share} (${single.length} of ${files.length})`,
    'under 30 %',
  )

  const paragraphs = single.filter(
    ({ file, importer, lines }) => lines < SHORT_LINES && dirname(file) === dirname(importer),
  )
  report(
    `of these, under ${SHORT_LINES} lines and beside their importer`,
    paragraphs.length,
    'exceptions only',
  )
  list(
    paragraphs.map(
      ({ file, importer, lines }) => `${file} (${lines}) ◀ ${importer.slice(dirname(file).length + 1)}`,
    ),
  )
}

function measureFolderCycles(): void {
  const sideBySide = findCycles(splitSideBySide)
  report('cycles between folders side by side, each with all below it', sideBySide.length, '0')
  list(sideBySide.flat())
  const direct = findCycles((importer, file) => [dirname(importer), dirname(file)])
  report('cycles between folders, each with its direct files only', direct.length, '')
  list(direct.flat())
}

/** The two sub-folders of their innermost common folder; undefined when one of the files is directly in that. */
function splitSideBySide(importer: string, file: string): [string, string] | undefined {
  const [from, to] = [importer.split('/'), file.split('/')]
  let depth = 0
  while (from[depth] === to[depth]) depth++
  if (depth >= from.length - 1 || depth >= to.length - 1) return undefined
  return [from.slice(0, depth + 1).join('/'), to.slice(0, depth + 1).join('/')]
}

/**
 * The cycles in the graph of folders, shortest first, where each must contain a step that no earlier one was cut at: a
 * cycle is cut at the step with the fewest imports, since those are what would have to be turned around.
 * Gives the lines that describe a cycle: its folders, and some imports of that step.
 */
function findCycles(foldersOf: (importer: string, file: string) => [string, string] | undefined): string[][] {
  const imports: FolderImports = new Map()
  for (const [file, importers] of graph.importers) {
    for (const importer of importers) {
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

function measureSizes(): void {
  const longest = (files: string[]) => {
    const bySize = files.map((file) => ({ file, lines: countLines(file) })).sort((a, b) => b.lines - a.lines)
    return { text: `${bySize[0]!.lines} lines, ${bySize[0]!.file}`, top: bySize.slice(0, 10) }
  }
  for (const [what, files] of [
    ['file', graph.files],
    ['test', graph.tests],
  ] as const) {
    const { text, top } = longest(files)
    report(`longest ${what}`, text, what === 'file' ? 'at most 600' : '')
    list(top.map(({ file, lines }) => `${lines} ${file}`))
  }

  const folders = Map.groupBy(graph.files, (file) => dirname(file))
  const large = [...folders].filter(([, files]) => files.length > FOLDER_FILES)
  report(`folders with more than ${FOLDER_FILES} files`, large.length, 'about 0')
  list(large.sort(([, a], [, b]) => b.length - a.length).map(([folder, { length }]) => `${length} ${folder}`))
}

/** User and system time of a command and all processes that it started and waited for. */
function measureCpu(command: string, aim: string): void {
  const script = `TIMEFORMAT='cpu %U %S'; time { ${command}; } >&2`
  const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', maxBuffer: 1 << 30 })
  const [, user, system] = /^cpu (\S+) (\S+)$/m.exec(stderr) ?? []
  const outcome = status === 0 ? '' : ' (it failed)'
  report(`processor time of ${command}`, `${Math.round(Number(user) + Number(system))} s${outcome}`, aim)
}

function countLines(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1
}

function report(what: string, figure: string | number, aim: string): void {
  process.stdout.write(`${what}: ${figure}${aim && `   [aim: ${aim}]`}\n`)
}

function list(lines: string[]): void {
  if (listsAll) process.stdout.write(lines.map((line) => `    ${line}\n`).join(''))
}
