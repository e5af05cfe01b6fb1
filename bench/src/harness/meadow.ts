import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listModuleArguments } from '@meadow/server/src/testing/module-arguments.ts'
import { endWithThisProcess, type ServerProcess, stopProcess } from './processes.ts'

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
  /** Whether the process has a channel for messages, for a module that it imports. */
  isTalking?: boolean
}

export interface MeadowServer extends ServerProcess {
  readonly child: ChildProcess
  /** The time from the start of the process until it listens, in milliseconds. */
  readonly startMs: number
  /** Why the process ended: its exit code or its signal; undefined while it runs. */
  readonly ended: string | undefined
  /** Ends the process without a warning, like a power failure. Resolves when it has ended. */
  kill(): Promise<void>
}

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Returns the script of `meadow-server`; earlier commits have no `bin/meadow-server.js`. */
function scriptBelow(root: string): string {
  const script = join(root, 'apps/server/bin/meadow-server.js')
  return existsSync(script) ? script : join(root, 'apps/server/src/main.ts')
}

/** The script of `meadow-server`. */
export const MEADOW_SERVER = scriptBelow(ROOT)

type SpawnMeadowOptions = Pick<MeadowOptions, 'root' | 'logFile' | 'maxOpenFiles' | 'isTalking'> & {
  env: NodeJS.ProcessEnv
}

/** Starts a command of `meadow-server` that prints a line of JSON when it is ready, and appends its log to a file. */
export function spawnMeadow(
  command: string,
  { root = ROOT, logFile, env, maxOpenFiles, isTalking = false }: SpawnMeadowOptions,
): ChildProcess {
  const log = openSync(logFile, 'a')
  const line = [process.execPath, ...listModuleArguments(), scriptBelow(root), command, '--json']
  // `exec` keeps the process id, so that signals and figures concern the server.
  const limited = ['sh', '-c', `ulimit -n ${maxOpenFiles} && exec "$@"`, 'sh', ...line]
  const [program, ...args] = maxOpenFiles === undefined ? line : limited
  const child = spawn(program!, args, {
    stdio: ['ignore', 'pipe', log, ...(isTalking ? (['ipc'] as const) : [])],
    env: { PATH: process.env.PATH, ...env },
  })
  closeSync(log)
  endWithThisProcess(child)
  return child
}

/** Starts `meadow-server serve` with default settings, except for the options. */
export async function startMeadow(options: MeadowOptions): Promise<MeadowServer> {
  const { logFile } = options
  const startedAt = performance.now()
  const child = spawnMeadow('serve', { ...options, env: { ...meadowEnvironment(options), ...options.env } })
  const exited = once(child, 'exit')
  const { hostname, port } = new URL(await readAddress(child.stdout!, logFile))
  return {
    child,
    pid: child.pid!,
    host: hostname,
    port: Number(port),
    startMs: performance.now() - startedAt,
    get ended() {
      return child.signalCode ?? child.exitCode?.toString()
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    [Symbol.asyncDispose]: () => stopProcess(child),
  }
}

/** Returns the environment of a server, without the variables of this process. */
export function meadowEnvironment({
  dataDir,
  databaseUrl,
  cacheMb,
}: Omit<MeadowOptions, 'logFile'>): NodeJS.ProcessEnv {
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
