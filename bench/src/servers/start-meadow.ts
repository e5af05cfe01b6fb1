import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endWithThisProcess, type ServerProcess, stopProcess } from './server-process.ts'

export interface MeadowOptions {
  /** The checkout whose server is started; omitted: this one. */
  root?: string | undefined
  dataDir: string
  databaseUrl?: string | undefined
  /** The file for the log. */
  logFile: string
  /** The size of the response cache; omitted for the default. */
  cacheMb?: number
  /** Further variables for the server, such as `MEADOW_SOLVE_SECONDS`. */
  env?: Record<string, string>
  /** The limit of open files (`ulimit -n`); omitted for the limit of this process. */
  maxOpenFiles?: number
}

export interface MeadowServer extends ServerProcess {
  /** From the start of the process until it listens. */
  readonly startMs: number
  /** Why the process ended: its exit code or its signal; undefined while it runs. */
  readonly ended: string | undefined
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The script of `meadow-server`; earlier commits have no `bin/meadow-server.js`. */
function scriptBelow(root: string): string {
  const script = join(root, 'apps/server/bin/meadow-server.js')
  return existsSync(script) ? script : join(root, 'apps/server/src/main.ts')
}

/** The script of `meadow-server`. */
export const MEADOW_SERVER = scriptBelow(ROOT)

/** Starts `meadow-server serve` with default settings, except for the options. */
export async function startMeadow(options: MeadowOptions): Promise<MeadowServer> {
  const startedAt = performance.now()
  const log = openSync(options.logFile, 'w')
  const command = [process.execPath, scriptBelow(options.root ?? ROOT), 'serve', '--json']
  // `exec` keeps the process id, so that signals and figures concern the server.
  const limited = ['sh', '-c', `ulimit -n ${options.maxOpenFiles} && exec "$@"`, 'sh', ...command]
  const [program, ...args] = options.maxOpenFiles === undefined ? command : limited
  const child = spawn(program!, args, {
    stdio: ['ignore', 'pipe', log],
    env: { ...meadowEnvironment(options), ...options.env },
  })
  closeSync(log)
  endWithThisProcess(child)
  const { hostname, port } = new URL(await readAddress(child.stdout!, options.logFile))
  const startMs = performance.now() - startedAt
  return {
    pid: child.pid!,
    host: hostname,
    port: Number(port),
    startMs,
    get ended() {
      return child.signalCode ?? child.exitCode?.toString()
    },
    [Symbol.asyncDispose]: () => stopProcess(child),
  }
}

/** The environment of a server, without the variables of this process. */
export function meadowEnvironment({ dataDir, databaseUrl, cacheMb }: Omit<MeadowOptions, 'logFile'>) {
  return {
    PATH: process.env.PATH,
    MEADOW_DATA_DIR: dataDir,
    MEADOW_PORT: '0',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(cacheMb !== undefined && { MEADOW_CACHE_MB: String(cacheMb) }),
  }
}

async function readAddress(stdout: AsyncIterable<Buffer>, logFile: string): Promise<string> {
  let output = ''
  for await (const chunk of stdout) {
    output += chunk
    const address = /"address": *"([^"]+)"/.exec(output)?.[1]
    if (address) return address
  }
  throw new Error(`meadow-server did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}
