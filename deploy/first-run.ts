import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/*
 * A step of the Dockerfile: runs the service with the demo team in a temporary folder, reads everything that a script
 * reads, and stops it. Fails when something is not answered as it should be. The compiled code of the server and of its
 * child processes stays in their caches.
 */

const MAIN = fileURLToPath(new URL('../apps/server/bin/meadow-server.js', import.meta.url))
/** What is answered for the demo team's documents when their solves have ended: some fail, and one was never asked for. */
const SOLUTION_STATUSES = [200, 409, 502]

const dataDir = await mkdtemp(join(tmpdir(), 'meadow-first-run-'))
const server = spawn(process.execPath, [MAIN, 'serve', '--demo', '--json'], {
  env: {
    ...process.env,
    MEADOW_DATA_DIR: dataDir,
    MEADOW_HOST: '127.0.0.1',
    MEADOW_PORT: '0',
    MEADOW_LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exit = once(server, 'exit')
try {
  const started = await readJson(server.stdout)
  await readAll(started)
} finally {
  server.kill('SIGTERM')
}
const [code] = await exit
await rm(dataDir, { recursive: true })
if (code !== 0) throw new Error(`The service ended with the code ${code}.`)

/** What `serve --demo --json` prints: it is complete as soon as it can be parsed. */
async function readJson(stdout: NodeJS.ReadableStream): Promise<{ address: string; token: string }> {
  let text = ''
  for await (const line of createInterface(stdout)) {
    text += line
    try {
      return JSON.parse(text)
    } catch {
      // More lines follow.
    }
  }
  throw new Error('The service ended before it was ready.')
}

async function readAll({ address, token }: { address: string; token: string }): Promise<void> {
  const get = async (path: string, statuses: readonly number[] = [200], headers = {}) => {
    const response = await fetch(address + path, { headers })
    const body = await response.text()
    if (!statuses.includes(response.status))
      throw new Error(`${path} was answered with ${response.status}: ${body}`)
    return body
  }
  for (const path of ['/', '/docs', '/openapi.json', '/healthz', '/readyz', '/metrics']) await get(path)
  const getApi = (path: string, statuses?: readonly number[]) =>
    get(`/api/v1${path}`, statuses, { authorization: `Bearer ${token}`, prefer: 'wait=60' })
  for (const path of ['/team', '/folders/root']) await getApi(path)
  for (const { id } of JSON.parse(await getApi('/documents')).documents) {
    await getApi(`/documents/${id}`)
    await getApi(`/documents/${id}/solution`, SOLUTION_STATUSES)
    for (const format of ['.gh', '.3dm'])
      await getApi(`/documents/${id}/export?format=${format}`, SOLUTION_STATUSES)
  }
}
