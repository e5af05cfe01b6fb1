import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Environment } from '@meadow/command'
import { atEnd } from '../../../server/src/testing/at-end.ts'
import { createQuickFolder, removeQuickFolder } from '../../../server/src/testing/quick-folder.ts'
import { runCommand } from '../program.ts'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

const LAUNCHER = fileURLToPath(new URL('../../../../node_modules/.bin/meadow', import.meta.url))

/** What a user may have set, and what would make the command do other things than the test asks for. */
const STEERS = /^(NO_COLOR|FORCE_COLOR|NODE_DISABLE_COLORS|TERM|CI|XDG_CONFIG_HOME|MEADOW_.*|GIT_.*)$/

export const environment: Environment = Object.fromEntries(
  // biome-ignore lint/style/noProcessEnv: what tests start runs in their environment.
  Object.entries(process.env).filter(([name]) => !STEERS.test(name)),
)

export interface RunOptions {
  env?: Environment
  /** What is typed, or sent. */
  input?: string
  /** The width of a terminal; without it the streams are none. */
  columns?: number
}

/** A folder that is removed at the end. */
export async function createFolder(t: TestContext): Promise<string> {
  const folder = await createQuickFolder('meadow-cli-')
  atEnd(t, () => removeQuickFolder(folder))
  return folder
}

/** The command with a home of its own, and these variables. */
export async function createMeadowCommand(t: TestContext, env: Environment = {}) {
  const home = await createFolder(t)
  const variables = { ...environment, PATH: `${dirname(LAUNCHER)}${delimiter}${environment.PATH}`, ...env }

  /** Runs it inside this process. */
  async function runWith(
    { env = {}, input = '', columns }: RunOptions,
    ...args: string[]
  ): Promise<Finished> {
    const [stdout, stderr] = [collect(columns), collect(columns)]
    const stdin = Object.assign(new PassThrough(), { isTTY: columns !== undefined })
    stdin.end(input)
    const code = await runCommand(args, {
      ...{ env: { ...variables, ...env }, home, platform: process.platform, stdin },
      ...{ stdout: stdout.stream, stderr: stderr.stream },
    })
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  }
  const run = (...args: string[]) => runWith({}, ...args)

  /** As `run`, and parses what it prints. Fails when the exit code is not 0. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await run(...args, '--json')
    if (code !== 0) throw new Error(`meadow ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }

  /** Starts a program, which finds `meadow` as npm installs it. It is killed at the end. */
  function start(
    command: string,
    args: readonly string[],
    options: { cwd?: string; env?: Environment } = {},
  ) {
    const child = spawn(command, args, {
      cwd: options.cwd ?? home,
      env: { ...variables, HOME: home, ...options.env },
    })
    child.stdin.end()
    atEnd(t, () => void child.kill('SIGKILL'))
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    const finished = once(child, 'close').then(([code]): Finished => ({ code, stdout, stderr }))
    return { child, finished }
  }

  return { home, run, runWith, json, start, launcher: LAUNCHER }
}

function collect(columns: number | undefined) {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write(piece, _, done) {
      pieces.push(piece)
      done()
    },
  })
  const text = () => Buffer.concat(pieces).toString()
  return { stream: Object.assign(stream, columns === undefined ? {} : { isTTY: true, columns }), text }
}
