import { PassThrough, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import type { Environment } from '@meadow/command'
import { runCommand } from '../program.ts'
import { createStarter, type Finished, LAUNCHER } from './start-meadow.ts'

export interface RunOptions {
  env?: Environment
  /** What is typed, or sent. */
  input?: string
  /** The width of a terminal; without it the streams are none. */
  columns?: number
}

/** The command with a home of its own, and these variables. */
export async function createMeadowCommand(t: TestContext, env: Environment = {}) {
  const { home, variables, start } = await createStarter(t, env)

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
