import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeDemo } from '../../../server/src/testing/make-demo.ts'
import { listModuleArguments } from '../../../server/src/testing/module-arguments.ts'
import { createQuickFolder, removeQuickFolder } from '../../../server/src/testing/quick-folder.ts'

const MAIN = fileURLToPath(new URL('../../../server/bin/meadow-server.js', import.meta.url))

/** A server with the demo team, as `npm start` starts it. */
export interface Demo {
  address: string
  email: string
  password: string
  /** Of the API. */
  token: string
  dataDir: string
  /** Runs a command of `meadow-server` on the same data, as the operator does. */
  run(...command: string[]): Promise<void>
  stop(): Promise<void>
}

export interface DemoOptions {
  env?: Record<string, string>
  solved?: readonly string[]
}

/**
 * Resolves when it listens: its documents may still be being solved, all of them or those of the names `solved`.
 * `env` is added to the required variables.
 */
export async function startDemo({ env = {}, solved }: DemoOptions = {}): Promise<Demo> {
  const dataDir = await createQuickFolder('meadow-web-')
  const settings = { MEADOW_DATA_DIR: dataDir, MEADOW_PORT: '0', MEADOW_HOST: '127.0.0.1', ...env }
  if (solved) await makeDemo(settings.MEADOW_DATA_DIR, solved)
  // biome-ignore lint/style/noProcessEnv: the server inherits the environment.
  const environment = { ...process.env, ...settings }
  const line = [...listModuleArguments(), MAIN]
  const server = spawn(process.execPath, [...line, 'serve', '--demo'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(server, 'exit')
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  let output = ''
  let logged = ''
  const report = (code: number | null, signal: string | null) =>
    process.stderr.write(`The server has ended by itself (${code ?? signal}): ${logged.slice(-2000)}\n`)
  server.once('exit', report)
  server.stderr.setEncoding('utf8').on('data', (text) => {
    logged += text
  })
  server.stdout.setEncoding('utf8')
  for await (const text of server.stdout.iterator({ destroyOnReturn: false })) {
    output += text
    if (output.includes('Ctrl-C stops')) break
  }
  // Further output is discarded, so that the pipe does not fill up.
  server.stdout.resume()
  const find = (pattern: RegExp) => {
    const found = pattern.exec(output)?.[1]
    if (!found) throw new Error(`The server did not print ${pattern}: ${output}\n${logged.slice(-2000)}`)
    return found
  }
  return {
    address: find(/listens at (\S+)/),
    email: find(/e-mail\s+(\S+)/),
    password: find(/password\s+(\S+)/),
    token: find(/(mdw_\w+)/),
    dataDir,
    async run(...command) {
      await promisify(execFile)(process.execPath, [...line, ...command], { env: environment })
    },
    async stop() {
      process.off('exit', kill)
      server.off('exit', report)
      kill()
      await ended
      await removeQuickFolder(dataDir)
    },
  }
}
