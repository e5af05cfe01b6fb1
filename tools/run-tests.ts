import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempDisposableSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createQuickFolder, removeQuickFolder } from '../apps/server/src/testing/quick-folder.ts'
import { POSTGRES_VARIABLE, startPostgres, whyNoPostgres } from '../apps/server/src/testing/test-postgres.ts'
import type { EndedTest } from './list-test-files.ts'

/*
 * Runs the tests: all, or those that are named.
 *
 *   npm test                                          all tests
 *   npm test -- packages/grasshopper                  those below a folder
 *   npm test -- apps/server/src/access/tokens.test.ts those of a file
 *   npm test -- --test-name-pattern=GH-4              and other options of `node --test`
 *   npm test -- --seed=random                         with other random values than usual, or those of a number
 *   npm test -- --retry                               failed files once more, alone; .ci/run does so
 *   npm test -- --minutes=70                          ends the run after that time; .ci/run does so
 *
 * What a run needs is decided by the paths of its test files:
 *
 * - The web app and the page of differences are built (unless they are up to date) when there is a file below apps or bench.
 * - The programs of checks/ are installed when there is a file of the slow tier (`*.slow.test.ts`). Without them, tests of
 *   the other tier that need one are skipped, with a reason.
 * - One PostgreSQL is started for all files when several of them are below apps or bench, and the file of a SQLite
 *   database made that each test gets a copy of. No test is skipped without them: a file that finds none starts and makes
 *   its own (apps/server/src/testing/postgres-databases.ts and data-folders.ts).
 * - What all their processes would look for again, the modules of the server, is listed once (known-modules.ts).
 *   Decision 0096 has the costs.
 * - Each file runs in a separate process, unless all are below PURE: those share one, since starting the processes would
 *   take longer than the tests.
 *
 * Random values are the same in all runs, so that a run fails for what has changed; `--seed` looks for more failures.
 *
 * `--retry` runs the files of failed tests again, one at a time, when they are at most MAX_RETRIED. The run passes when
 * they do, and its last line names them: their tests depend on the load or on order, and need repair (decision 0066).
 *
 * `--minutes` ends a run that takes too long before the machine that runs it does: it fails, and its last lines name the
 * files that failed, those that took longest, and, from Node.js, those that were running.
 */

const ALL = ['apps', 'packages', 'sdks', 'bench', 'deploy', 'docs', 'integrations', 'tools']

/** Packages that touch nothing outside of themselves: no files, processes or globals that one test could leave to the next. */
const PURE = [
  'packages/contract',
  'packages/document',
  'packages/inflate',
  'packages/passwords',
  'packages/scene',
  'packages/solver',
]

/** A test that runs longer hangs: it fails instead of holding up the run. */
const HANGS = '--test-timeout=600000'

/** One more than the cores, where Node's default is one fewer: tests wait for processes and databases half of their time. */
const AT_ONCE = `--test-concurrency=${availableParallelism() + 1}`

/** The cache of compiled code: types are stripped once, not in each of hundreds of processes. */
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled-for-tests', import.meta.url))

/** What imports all modules of the server. */
const SERVER = 'apps/server/src/testing/start-web-app.ts'

const SEED = '1'
const SEED_OPTION = '--seed='

const RETRY_OPTION = '--retry'

const MINUTES_OPTION = '--minutes='

/** How many files are named as the slowest ones of a run that was ended. */
const SLOWEST = 10

/** More failures than this are not chance. */
const MAX_RETRIED = 5

const { paths, options, seed, retries, minutes } = readArguments(process.argv.slice(2))
const patterns = (paths.length > 0 ? paths : ALL).map(toPattern)
const files = globSync(patterns).map((file) => relative('.', file).replaceAll('\\', '/'))
const integrated = files.filter((file) => isBelow(file, ['apps', 'bench']))
const isPure = files.length > 0 && files.every((file) => isBelow(file, PURE))

const builders = [
  ...(files.some((file) => file.endsWith('.slow.test.ts')) ? ['install-checks.ts'] : []),
  ...(integrated.length > 0 ? ['build-web.ts', 'build-diff-page.ts'] : []),
]
for (const builder of builders) await runNode([fileURLToPath(new URL(builder, import.meta.url))])
report(`The random values of the tests are those of --seed=${seed}`)
const preload = `./tools/seed-properties.ts?seed=${seed}`
const preloads = [...(integrated.length > 1 ? ['./tools/known-modules.ts'] : []), preload]
const test = ['--test', ...preloads.flatMap((path) => ['--import', path]), HANGS]
const mode = isPure ? '--test-isolation=none' : AT_ONCE
process.exitCode = integrated.length > 1 ? await runOnDatabases() : await runTests()

function readArguments(args: string[]) {
  const isPath = (argument: string) => argument.includes('*') || existsSync(argument)
  const seeds = args.filter((argument) => argument.startsWith(SEED_OPTION))
  const limit = args.find((argument) => argument.startsWith(MINUTES_OPTION))
  const own = [RETRY_OPTION, limit, ...seeds]
  const others = args.filter((argument) => !own.includes(argument))
  return {
    paths: others.filter(isPath),
    options: others.filter((argument) => !isPath(argument)),
    seed: readSeed(seeds.at(-1)?.slice(SEED_OPTION.length) ?? SEED),
    retries: args.includes(RETRY_OPTION),
    minutes: limit && Number(limit.slice(MINUTES_OPTION.length)),
  }
}

function readSeed(text: string): number {
  const seed = text === 'random' ? randomInt(2 ** 31) : Number(text)
  if (!Number.isSafeInteger(seed)) throw new Error('The seed is a whole number, or random.')
  return seed
}

/** Only the test files of a folder. */
function toPattern(path: string): string {
  const isFolder = !path.includes('*') && statSync(path).isDirectory()
  return isFolder ? join(path, '**/*.test.ts') : path
}

function isBelow(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`))
}

async function runOnDatabases(): Promise<number> {
  // Not a static import: tests of packages start without the server's modules.
  const { makeSqliteFile, SQLITE_VARIABLE } = await import('../apps/server/src/testing/data-folders.ts')
  const folder = await createQuickFolder('meadow-tests-')
  try {
    const modules = { MEADOW_TEST_MODULES_FILE: join(folder, 'modules.json') }
    await runNode(['--import', './tools/known-modules.ts?record', SERVER], modules)
    const made = { ...modules, [SQLITE_VARIABLE]: await makeSqliteFile(folder) }
    const reason = whyNoPostgres()
    if (reason) {
      report(`The tests on PostgreSQL are skipped: ${reason}.`)
      return await runTests(made)
    }
    report('Starting PostgreSQL for the tests …')
    await using postgres = await startPostgres()
    return await runTests({ ...made, [POSTGRES_VARIABLE]: postgres.url })
  } finally {
    await removeQuickFolder(folder)
  }
}

/** Runs the tests, with `--retry` those of failed files twice, and resolves to the exit code. */
async function runTests(env: Record<string, string> = {}): Promise<number> {
  if (!retries && !minutes) return runNode([...test, mode, ...options, ...patterns], env)
  using folder = mkdtempDisposableSync(join(tmpdir(), 'meadow-tests-'))
  const list = join(folder.path, 'ended')
  const lister = fileURLToPath(new URL('list-test-files.ts', import.meta.url))
  const reporters = ['spec', lister].map((reporter) => `--test-reporter=${reporter}`)
  const destinations = ['stdout', list].map((to) => `--test-reporter-destination=${to}`)
  const signal = minutes ? AbortSignal.timeout(minutes * 60_000) : undefined
  const code = await runNode(
    [...test, mode, ...reporters, ...destinations, ...options, ...patterns],
    env,
    signal,
  )
  const ended: EndedTest[] = readFileSync(list, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const failed = [...new Set(ended.filter((test) => test.failed).map(({ file }) => file))]
  if (signal?.aborted) return reportEnd(ended, failed)
  if (!retries || code === 0 || failed.length === 0 || failed.length > MAX_RETRIED) return code
  report(`Running the failed files again: ${failed.join(' ')}`)
  const again = await runNode([...test, '--test-concurrency=1', ...options, ...failed], env, signal)
  if (again === 0) report(`Passed at the second attempt, and needs repair: ${failed.join(' ')}`)
  return again
}

function reportEnd(ended: readonly EndedTest[], failed: readonly string[]): number {
  const times = new Map<string, number>()
  for (const { file, milliseconds } of ended) times.set(file, (times.get(file) ?? 0) + milliseconds)
  const slowest = [...times].sort(([, a], [, b]) => b - a).slice(0, SLOWEST)
  report(`The run was ended after ${minutes} minutes. Failed until then: ${failed.join(' ') || 'none'}`)
  report(`Took longest: ${slowest.map(([file, time]) => `${file} ${Math.round(time / 1000)} s`).join(', ')}`)
  return 1
}

/** Runs this same Node, with Ctrl-C when the signal says so, and resolves to its exit code. */
async function runNode(
  nodeArguments: string[],
  env: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<number> {
  report(`Running node ${nodeArguments.join(' ')}`)
  const node = spawn(process.execPath, nodeArguments, {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
  })
  const interrupt = () => node.kill('SIGINT')
  signal?.addEventListener('abort', interrupt)
  const [code] = await once(node, 'exit')
  signal?.removeEventListener('abort', interrupt)
  return code ?? 1
}

function report(line: string): void {
  process.stderr.write(`${line}\n`)
}
