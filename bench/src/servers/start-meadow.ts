import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endWithThisProcess, type ServerProcess, stopProcess } from './server-process.ts'

export interface MeadowOptions {
  dataDir: string
  databaseUrl?: string | undefined
  /** Where the log goes, as in any installation. */
  logFile: string
  /** Left out: the default. */
  cacheMb?: number
  /** Further variables for the server, such as `MEADOW_SOLVE_SECONDS`. */
  env?: Record<string, string>
  /** How many files the process may have open (`ulimit -n`); left out: as many as this one. */
  maxOpenFiles?: number
}

export interface MeadowServer extends ServerProcess {
  /** From the start of the process until it listens. */
  readonly startMs: number
  /** Why the process ended: its exit code or its signal; undefined while it runs. */
  readonly ended: string | undefined
}

/** What `meadow-server` runs. */
export const MEADOW_SERVER = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url))

/** `meadow-server serve` with default settings, but for what the options say. */
export async function startMeadow(options: MeadowOptions): Promise<MeadowServer> {
  const startedAt = performance.now()
  const log = openSync(options.logFile, 'w')
  const command = [process.execPath, MEADOW_SERVER, 'serve', '--json']
  // `exec` keeps the process id, so that signals and figures are those of the server.
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

/** Nothing of the caller's own settings gets through. */
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
  let said = ''
  for await (const chunk of stdout) {
    said += chunk
    const address = /"address": *"([^"]+)"/.exec(said)?.[1]
    if (address) return address
  }
  throw new Error(`meadow-server did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}
