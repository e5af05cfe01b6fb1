import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempDisposableSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createQuickFolder, removeQuickFolder } from '../apps/server/src/testing/quick-folder.ts'
import {
  FEATURES_ON_POSTGRES_VARIABLE,
  POSTGRES_VARIABLE,
  startPostgres,
  whyNoPostgres,
} from '../apps/server/src/testing/test-postgres.ts'
import { printReport } from './report-tests.ts'
import type { WorkerTask } from './test-worker.ts'

/*
 * Runs the tests of a tier, or those that are named.
 *
 *   npm test                                          the fast tier: files named *.test.ts
 *   npm run test:all                                  both tiers: also files named *.slow.test.ts
 *   npm test -- packages/grasshopper                  the fast tier below a folder
 *   npm run test:all -- packages/grasshopper          both tiers below a folder
 *   npm test -- apps/server/src/access/tokens.test.ts a file, of whichever tier
 *   npm test -- --test-name-pattern=GH-4              only tests whose names match
 *   npm test -- --patience=600                        stops a file when one of its tests takes longer than 600 seconds
 *   npm test -- --share=10                            properties make ten times their runs; by default a tenth, or a third of
 *                                                     them in a run of both tiers
 *   npm test -- --seed=random                         with other random values than usual, or those of a number
 *
 * A few processes take the files one after another (test-worker.ts), since to load the modules of a server in a process
 * takes a second. What a run needs is decided by the paths of its files:
 *
 * - The web app and the HTML report are built (unless they are up to date) when there is a file below apps or bench.
 * - The programs of checks/ are installed, and the files for clients built, when there is a file of the slow tier
 *   (`*.slow.test.ts`). Without the programs, tests of the other tier that need one are skipped, with a reason.
 * - One PostgreSQL is started for all files when several of them are below apps or bench, and the file of a SQLite
 *   database made that each test gets a copy of. No test is skipped without them: a file that finds none starts and makes
 *   its own (apps/server/src/testing/postgres-databases.ts and data-folders.ts).
 *
 * Random values are the same in all runs, so that a run fails for what has changed; `--seed` looks for more failures.
 * The tests of features run on SQLite in the fast tier, and on PostgreSQL in a run of both.
 */

const ALL = ['apps', 'packages', 'sdks', 'bench', 'deploy', 'docs', 'integrations', 'tools']

/**
 * The settings of a tier. A property makes `share` of its runs, and a test that takes longer than `patience` seconds
 * stops its file.
 */
const FAST = { patience: 90, share: 0.1 }
const SLOW = { patience: 300, share: 0.3 }

/** The number of processes. Files wait for processes, databases and pages, so there is one process more than cores. */
const WORKERS = availableParallelism() + 1

/**
 * The number of files after which another process replaces the current one, since everything that they loaded stays in
 * its memory.
 */
const FILES_OF_WORKER = 50

/** The number of files for which another process is started: for fewer, it takes longer to start than it saves. */
const FEWEST_FILES = 4

/** The cache of compiled code, so that types are stripped once, not in each process. */
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled-for-tests', import.meta.url))

/** A file that imports all modules of the server. */
const SERVER = 'apps/server/src/testing/start-web-app.ts'

interface Arguments {
  files: string[]
  all: boolean
  patterns: string[]
  seed: number
  patience: number
  share: number
}

const { files, all, patterns, seed, patience, share } = readArguments(process.argv.slice(2))
const integrated = files.filter((file) => /^(apps|bench)\//.test(file))

const isSlowRun = files.some(isSlow)

const builders = [
  ...(isSlowRun ? ['install-checks.ts'] : []),
  ...(integrated.length > 0 ? ['build-web.ts'] : []),
  ...(isSlowRun || integrated.length > 0 ? ['build-html-report.ts'] : []),
  // The files for clients contain the HTML report.
  ...(isSlowRun ? ['packages/build-clients.ts'] : []),
]
for (const builder of builders) await runNode([fileURLToPath(new URL(builder, import.meta.url))])
process.exitCode = (await (integrated.length > 1 ? runOnDatabases() : runTests({}))) ? 0 : 1

function readArguments(args: string[]): Arguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      patience: { type: 'string' },
      seed: { type: 'string', default: '1' },
      share: { type: 'string' },
      'test-name-pattern': { type: 'string', multiple: true, default: [] },
    },
  })
  const found = (positionals.length > 0 ? positionals : ALL).flatMap((path) =>
    listTestFiles(path, values.all),
  )
  if (found.length === 0) throw new Error(`There are no test files at ${positionals.join(', ')}.`)
  const tier = values.all || found.some(isSlow) ? SLOW : FAST
  return {
    // Slow files come first, so that at the end no process waits for another.
    files: found.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a))),
    all: values.all,
    patterns: values['test-name-pattern'],
    seed: readSeed(values.seed),
    patience: Number(values.patience ?? tier.patience),
    share: Number(values.share ?? tier.share),
  }
}

function isSlow(file: string): boolean {
  return file.endsWith('.slow.test.ts')
}

/** Lists the test files below a folder, or the file itself. */
function listTestFiles(path: string, withSlow: boolean): string[] {
  if (!existsSync(path)) throw new Error(`There is no file or folder ${path}.`)
  if (!statSync(path).isDirectory()) return [path]
  const found = globSync(join(path, '**/*.test.ts'), { exclude: ['**/node_modules/**'] })
    .map((file) => relative('.', file).replaceAll('\\', '/'))
    .sort()
  return withSlow ? found : found.filter((file) => !isSlow(file))
}

function readSeed(text: string): number {
  const seed = text === 'random' ? randomInt(2 ** 31) : Number(text)
  if (!Number.isSafeInteger(seed)) throw new Error('The seed is a whole number, or random.')
  return seed
}

async function runOnDatabases(): Promise<boolean> {
  // The import is dynamic so that tests of packages start without the server's modules.
  const { makeSqliteFile, SQLITE_VARIABLE } = await import('../apps/server/src/testing/data-folders.ts')
  const folder = await createQuickFolder('meadow-tests-')
  try {
    const modules = join(folder, 'modules.json')
    await runNode(['--import', knownModules('record', modules), SERVER])
    const preloads = [knownModules('read', modules)]
    const made = { [SQLITE_VARIABLE]: await makeSqliteFile(folder) }
    const reason = whyNoPostgres()
    if (reason) {
      process.stderr.write(`The tests on PostgreSQL are skipped: ${reason}.\n`)
      return await runTests(made, preloads)
    }
    await using postgres = await startPostgres()
    return await runTests({ ...made, [POSTGRES_VARIABLE]: postgres.url }, preloads)
  } finally {
    await removeQuickFolder(folder)
  }
}

/** Returns the address of the module that records where modules are in a file, or reads it there. */
function knownModules(act: 'record' | 'read', file: string): string {
  const address = new URL('known-modules.ts', import.meta.url)
  address.searchParams.set(act, file)
  return address.href
}

/**
 * Runs the tests in several processes, which load `preloads` first, prints their results, and resolves with whether all
 * passed.
 */
async function runTests(env: Record<string, string>, preloads: readonly string[] = []): Promise<boolean> {
  using claims = mkdtempDisposableSync(join(tmpdir(), 'meadow-claims-'))
  const seeded = `./tools/seed-properties.ts?seed=${seed}&share=${share}`
  const used = join(claims.path, 'used')
  const task: WorkerTask = { files, claims: claims.path, used, most: FILES_OF_WORKER, patience }
  const atOnce = Math.min(WORKERS, Math.ceil(files.length / FEWEST_FILES))
  const workers = Math.max(atOnce, Math.ceil(files.length / FILES_OF_WORKER))
  process.stderr.write(
    `${files.length} test files in ${workers} processes, ${atOnce} at once, with the random values of --seed=${seed}\n`,
  )
  const events = run({
    files: Array(workers).fill(fileURLToPath(new URL('test-worker.ts', import.meta.url))),
    concurrency: atOnce,
    execArgv: [...preloads, seeded].flatMap((path) => ['--import', path]),
    argv: [JSON.stringify(task)],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compiled,
      ...env,
      ...(all && { [FEATURES_ON_POSTGRES_VARIABLE]: '1' }),
    },
    testNamePatterns: patterns,
  })
  // With a pattern, Node.js does not report the files in which no test matches, so none are expected.
  return await printReport(events, patterns.length > 0 ? [] : files, used)
}

/** Runs this same Node and waits for its end. */
async function runNode(nodeArguments: string[]): Promise<void> {
  const node = spawn(process.execPath, nodeArguments, {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  })
  const [code] = await once(node, 'exit')
  if (code !== 0) throw new Error(`node ${nodeArguments.join(' ')} ended with ${code}.`)
}
