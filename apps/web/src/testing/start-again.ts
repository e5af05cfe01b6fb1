import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { listModuleArguments } from '../../../server/src/testing/module-arguments.ts'

const MAIN = fileURLToPath(new URL('../../../server/bin/meadow-server.js', import.meta.url))

/** Starts a server on the data of an earlier one; resolves to a function that ends it, once it listens. */
export async function startAgain(env: Record<string, string>): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, [...listModuleArguments(), MAIN, 'serve'], {
    // biome-ignore lint/style/noProcessEnv: the server inherits the environment.
    env: { ...process.env, MEADOW_HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(server, 'exit')
  let output = ''
  for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text
    if (output.includes('listens')) break
  }
  server.stdout.resume()
  return async () => {
    server.kill('SIGKILL')
    await ended
  }
}
