import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { cruiseImports, findCycles, ROOTS, readImporters, splitSideBySide } from './imports.ts'
import { countCode, LONG_FUNCTION } from './measure-code.ts'
import { listFilesOfRead } from './measure-read.ts'
import { readWalks } from './reading-guide.ts'

/*
 * Prints how much there is to read and how the files depend on each other, with the aim for each figure.
 *
 *   npm run measure             the figures
 *   npm run measure -- --list   the files and folders behind them too
 *   npm run measure -- --time   the processor time of `npm run check` and `npm test` too (runs both; needs bash)
 *
 * The counted files: every .ts and .tsx file below ROOTS that is neither a test nor below a folder `testing`.
 * An import counts whether it imports a value or only a type, and only when the importing file counts too.
 */

/** The size in lines below which a file belongs into its only importer, if that is in the same folder. */
const SHORT_LINES = 40
const FOLDER_FILES = 20

/** The mechanisms that have a folder of their own. Their use elsewhere is counted. */
const MECHANISMS: readonly { what: string; pattern: RegExp; room: RegExp }[] = [
  {
    what: 'outgoing requests',
    pattern: /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/,
    room: /platform\/outbound/,
  },
  { what: 'leases', pattern: /lease_until/, room: /platform\/(queue|database)/ },
  { what: 'child processes', pattern: /\bfork\(/, room: /packages\/processes\// },
]

// `npm run measure -- --list | head` closes the pipe early.
process.stdout.on('error', () => process.exit())

const listsAll = process.argv.includes('--list')
const graph = readImporters(await cruiseImports())

process.stdout.write(
  `Counted are the ${graph.files.length} .ts and .tsx files of ${ROOTS.join(', ')} that are not tests or below testing/, ` +
    'and the imports between them, those of types alone included.\n\n',
)
measureLines()
measureWalks()
await measureRead()
measureSingleImporters()
measureFolderCycles()
measureSizes()
measureCode()
measureMechanisms()
measureVocabulary()
measurePackages()
if (process.argv.includes('--time')) {
  measureCpu('npm run check', 'at most 40 s after a small change')
  measureCpu('npm test', '')
}

function measureLines(): void {
  const areaOf = (file: string) => file.split('/').slice(0, 2).join('/')
  for (const [what, files, aim] of [
    ['source lines', graph.files, 165_000],
    ['lines of tests', graph.tests, 85_000],
  ] as const) {
    const areas = [...Map.groupBy(files, areaOf)].map(
      ([area, files]) => [area, files.reduce((sum, file) => sum + countLines(file), 0)] as const,
    )
    const sum = areas.reduce((sum, [, lines]) => sum + lines, 0)
    report(what, sum.toLocaleString('en'), `at most ${aim.toLocaleString('en')}`)
    list(areas.toSorted(([, a], [, b]) => b - a).map(([area, lines]) => `${lines} ${area}`))
  }
}

function measureWalks(): void {
  for (const { name, aim, files } of readWalks()) {
    report(`files to read: ${name}`, files.length, aim === undefined ? '' : `at most ${aim}`)
    list(files)
  }
}

function measureSingleImporters(): void {
  const { files, importers } = graph
  const single = files
    .filter((file) => importers.get(file)!.size === 1)
    .map((file) => ({ file, importer: [...importers.get(file)!][0]!, lines: countLines(file) }))
  const percentage = `${((100 * single.length) / files.length).toFixed(1)} %`
  report(
    'files imported by exactly one other file',
    `${percentage} (${single.length} of ${files.length})`,
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
  const sideBySide = findCycles(graph.importers, splitSideBySide)
  report('cycles between folders side by side, each with all below it', sideBySide.length, '0')
  list(sideBySide.flat())
  const direct = findCycles(graph.importers, (importer, file) => [dirname(importer), dirname(file)])
  report('cycles between folders, each with its direct files only', direct.length, '')
  list(direct.flat())
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

async function measureRead(): Promise<void> {
  const files = await listFilesOfRead()
  report('files whose code a read of a document runs', files.length, '20')
  list(files)
}

function measureCode(): void {
  const figures = graph.files.map(countCode)
  const long = figures.flatMap(({ longFunctions }) => longFunctions)
  report(`functions of more than ${LONG_FUNCTION} lines`, long.length, 'at most 120')
  list(long)
  const count = figures.reduce((sum, { nonNull }) => sum + nonNull, 0)
  report('assertions that something is not null (x!)', count, 'at most 600')
}

function measureMechanisms(): void {
  const files = graph.files.filter((file) => /^(apps|packages)\//.test(file) && !file.startsWith('apps/web/'))
  for (const { what, pattern, room } of MECHANISMS) {
    const outside = files.filter((file) => !room.test(file) && pattern.test(readFileSync(file, 'utf8')))
    report(`files with ${what} outside their room`, outside.length, '0')
    list(outside)
  }
  const workers = graph.files.filter((file) => file.endsWith('.worker.ts'))
  report('files of workers', workers.length, '')
  list(workers)
}

function measureVocabulary(): void {
  const [, table = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('## Vocabulary')
  const rows = table.split('\n## ')[0]!.match(/^\| (?!Word|---)/gm) ?? []
  report('rows of the vocabulary in ARCHITECTURE.md', rows.length, 'at most 35')
}

function measurePackages(): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: true; link?: true }>
  }
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  report('packages of npm ci', installed.length, 'at most 450')
  report('of these in production', installed.filter(([, { dev }]) => !dev).length, 'at most 220')
}

/** Measures the user and system time of a command and all processes that it started and waited for. */
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
