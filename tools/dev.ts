import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Runs the server and the web app for development, both with reload on change: `npm run dev`.
 *
 * Vite serves the web app at WEB, updates changed modules in the browser, and forwards the paths of the server to it
 * (apps/web/vite.config.ts). `node --watch` restarts the server when a file that it imports changes.
 * The server has the demo team and keeps its data where `npm start` does; both can run at the same time.
 * Variables of docs/configuration.md work here too. Ctrl-C ends both processes.
 */

const WEB = { host: '127.0.0.1', port: 5173 }
const SERVER_PORT = '4001'

const root = fileURLToPath(new URL('..', import.meta.url))
const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')

const env = {
  MEADOW_PORT: SERVER_PORT,
  MEADOW_BASE_URL: `http://${WEB.host}:${WEB.port}`,
  MEADOW_TRUSTED_PROXIES: WEB.host,
  // A restart should not wait.
  MEADOW_STOP_NOTICE_SECONDS: '0',
  MEADOW_STOP_GRACE_SECONDS: '1',
  ...process.env,
}

const children = [
  run(...'--watch --watch-preserve-output apps/server/bin/meadow-server.js serve --demo'.split(' ')),
  run(vite, ...`apps/web --host ${WEB.host} --port ${WEB.port} --strictPort --clearScreen false`.split(' ')),
]
const exits = children.map((child) => once(child, 'exit'))

const signal = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name)))
const outcome = await Promise.race([
  signal.then(() => 'stopped'),
  ...exits.map((exit) => exit.then(() => 'failed')),
])
for (const child of children) stop(child)
await Promise.all(exits)
process.exitCode = outcome === 'stopped' ? 0 : 1

/** Starts Node in its own process group: Ctrl-C in a terminal goes to this process alone, which ends the others. */
function run(...nodeArguments: string[]): ChildProcess {
  return spawn(process.execPath, nodeArguments, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  })
}

function stop(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
}
