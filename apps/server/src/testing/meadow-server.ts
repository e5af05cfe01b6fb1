import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { atEnd } from './at-end.ts'
import { createDataFolder } from './data-folders.ts'
import { listModuleArguments } from './module-arguments.ts'
import { createQuickFolder, removeQuickFolder } from './quick-folder.ts'
import { type Finished, runHere } from './run-here.ts'

export type { Finished }

/** Why the command cannot be run here, or false: its launcher is a shell script. */
export const noLauncher = process.platform === 'win32' && 'the launcher is a shell script'

const LAUNCHER = fileURLToPath(new URL('../../../../node_modules/.bin/meadow-server', import.meta.url))

/** What a build server or a developer may have set, and what would make a command do other things than the test requests. */
const STEERS_COMMANDS =
  /^(NO_COLOR|FORCE_COLOR|NODE_DISABLE_COLORS|CI|TEAMCITY_VERSION|TF_BUILD|DATABASE_URL.*|MEADOW_.*)$/

const environment = Object.fromEntries(
  // biome-ignore lint/style/noProcessEnv: what tests start runs in their environment.
  Object.entries(process.env).filter(([name]) => !STEERS_COMMANDS.test(name)),
)

// On a terminal, `node --test` tells what it runs to write in colour. Node heeds it in commands that run in here too.
// biome-ignore lint/style/noProcessEnv: as above.
delete process.env.FORCE_COLOR

/** How long a process may take to write what is waited for. */
const WRITE_MS = 30_000

/** A process that runs. It is killed at the end of the test. */
export interface Running {
  kill(signal: NodeJS.Signals): void
  /** Resolves when it has written this there, or anything; rejects when it ends before, or does not in time. */
  wrote(stream: 'stdout' | 'stderr', text?: string): Promise<void>
  /** The first line of its standard output; rejects as `wrote` does. */
  firstLine(): Promise<string>
  /** Closes our end of its output. */
  stopReading(): void
  finished: Promise<Finished>
  /** Parses what it printed until it ended. Fails when the exit code is not 0. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  json(): Promise<any>
}

export interface CommandLine {
  /** Runs the operator's command inside this process, which takes a tenth of what `start` takes. */
  run(...args: string[]): Promise<Finished>
  /** As `run`, and parses what it prints. Fails when the exit code is not 0. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  json(...args: string[]): Promise<any>
  /** Runs a line of shell in which `meadow-server` is found, with these after it as `$1`, `$2` and so on. */
  shell(line: string, ...args: string[]): Promise<Finished>
  /**
   * Starts it as a process of its own, as npm installs it: to be talked to while it runs, or where what it is about is
   * that there are several processes.
   */
  start(...args: string[]): Running
  dataDir: string
}

/**
 * The operator's command over a data folder of its own, with a database that has its tables, or `empty`; `env` comes on
 * top of the environment.
 */
export async function createCommandLine(
  t: TestContext,
  env: Record<string, string> = {},
  { empty } = { empty: false },
): Promise<CommandLine> {
  const dataDir = await (empty ? createQuickFolder : createDataFolder)('meadow-test-')
  atEnd(t, () => removeQuickFolder(dataDir))
  const path = `${dirname(LAUNCHER)}${delimiter}${environment.PATH}`
  // A process that reads files takes longer to start than to read the few files of a test.
  const single = { MEADOW_JOB_PROCESSES: 'definitions=1' }
  const surroundings = { ...environment, PATH: path, MEADOW_DATA_DIR: dataDir, ...single, ...env }
  const forProcesses = { NODE_OPTIONS: listModuleArguments().join(' '), ...surroundings }
  const start = (command: string, args: string[]) => startProcess(t, command, args, forProcesses)
  const run = (...args: string[]) => runHere(args, surroundings)
  return {
    dataDir,
    run,
    start: (...args) => start(LAUNCHER, args),
    shell: (line, ...args) => start('sh', ['-c', line, 'sh', ...args]).finished,
    json: async (...args) => readJson(await run(...args, '--json'), args),
  }
}

function readJson({ code, stdout, stderr }: Finished, args: readonly string[]) {
  if (code !== 0) throw new Error(`meadow-server ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

function startProcess(t: TestContext, command: string, args: string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { stdout: collect(child.stdout), stderr: collect(child.stderr) }
  const finished = once(child, 'close').then(([code]) => ({
    code,
    stdout: written.stdout(),
    stderr: written.stderr(),
  }))
  atEnd(t, () => {
    child.kill('SIGKILL')
  })
  const ended = finished.then(({ stderr }) => Promise.reject(new Error(`It ended before: ${stderr}`)))
  ended.catch(() => {})
  async function wrote(stream: 'stdout' | 'stderr', text?: string): Promise<void> {
    const isThere = () => (text === undefined ? written[stream]() !== '' : written[stream]().includes(text))
    const late = AbortSignal.timeout(WRITE_MS)
    try {
      while (!isThere()) await Promise.race([once(child[stream], 'data', { signal: late }), ended])
    } catch (error) {
      if (!late.aborted) throw error
      const what = text === undefined ? 'anything' : JSON.stringify(text)
      throw new Error(
        `"${args.join(' ')}" did not write ${what} to its ${stream} within ${WRITE_MS / 1000} s, and wrote to stderr: ${written.stderr()}`,
      )
    }
  }
  return {
    finished,
    json: async () => readJson(await finished, args),
    async firstLine() {
      await wrote('stdout', '\n')
      return written.stdout().slice(0, written.stdout().indexOf('\n'))
    },
    kill: (signal) => void child.kill(signal),
    stopReading: () => child.stdout.destroy(),
    wrote,
  }
}

function collect(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
