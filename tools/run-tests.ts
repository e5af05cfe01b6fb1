import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { POSTGRES_VARIABLE, startPostgres, whyNoPostgres } from '../apps/server/src/testing/test-postgres.ts'

/*
 * Runs the tests, with one PostgreSQL for all of them.
 *
 *   npm test                                          all tests
 *   npm test -- packages/grasshopper                  those below a folder
 *   npm test -- apps/server/src/access/tokens.test.ts those of a file
 *   npm test -- --test-name-pattern=GH-4              and whatever else `node --test` understands
 */

const ALL = ['apps', 'packages', 'bench', 'tools']

/** What runs longer hangs: it fails instead of holding up everything. */
const HANGS = '--test-timeout=600000'

/** Types are stripped and code is compiled once, not in each of hundreds of processes. */
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled-for-tests', import.meta.url))

const say = (line: string) => process.stderr.write(`${line}\n`)

const { paths, options } = readArguments(process.argv.slice(2))
/** By itself it leaves one core unused; tests wait for processes and databases half of their time. */
const AT_ONCE = `--test-concurrency=${availableParallelism() + 1}`
const tests = (paths.length > 0 ? paths : ALL).map(toPattern)
await runNode([fileURLToPath(new URL('build-web.ts', import.meta.url))], {})
process.exitCode = await runOnPostgres(['--test', HANGS, AT_ONCE, ...options, ...tests])

function readArguments(given: string[]) {
  const isPath = (argument: string) => argument.includes('*') || existsSync(argument)
  return { paths: given.filter(isPath), options: given.filter((argument) => !isPath(argument)) }
}

/** Only files that are named as tests, whatever else a folder has. */
function toPattern(path: string): string {
  const isFolder = !path.includes('*') && statSync(path).isDirectory()
  return isFolder ? join(path, '**/*.test.ts') : path
}

async function runOnPostgres(nodeArguments: string[]): Promise<number> {
  const reason = whyNoPostgres()
  if (reason) {
    say(`The tests on PostgreSQL are skipped: ${reason}.`)
    return runNode(nodeArguments, {})
  }
  say('Starting PostgreSQL for the tests …')
  await using postgres = await startPostgres()
  return await runNode(nodeArguments, { [POSTGRES_VARIABLE]: postgres.url })
}

/** Runs this same Node, and resolves to its exit code. */
async function runNode(nodeArguments: string[], env: Record<string, string>): Promise<number> {
  say(`Running node ${nodeArguments.join(' ')}`)
  const node = spawn(process.execPath, nodeArguments, {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
  })
  const [code] = await once(node, 'exit')
  return code ?? 1
}
