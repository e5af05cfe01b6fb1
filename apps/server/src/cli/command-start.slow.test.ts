import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createCommandLine } from '../testing/meadow-server.ts'

const MAIN = fileURLToPath(new URL('../../bin/meadow-server.js', import.meta.url))

/** Writes the files that a process has loaded, and the folder of its cache, to standard error when it ends. */
const SPY = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs'
import { getCompileCacheDir, registerHooks } from 'node:module'
const loaded = []
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
process.on('exit', () => writeSync(2, JSON.stringify({ loaded, cache: getCompileCacheDir() })))
`)}`

async function start(t: TestContext, ...args: string[]): Promise<{ loaded: string[]; cache?: string }> {
  const { dataDir, json } = await createCommandLine(t)
  await json('team', 'create', 'Acme')
  const { status, stderr } = spawnSync(process.execPath, ['--import', SPY, MAIN, ...args, '--json'], {
    env: { MEADOW_DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return JSON.parse(stderr)
}

const listOf = (loaded: readonly string[], pattern: RegExp) => loaded.filter((url) => pattern.test(url))

for (const call of [['--version'], ['--help'], ['help']]) {
  test(`[CLI-42] given ${call}, when it runs, then no database, command or library but the parser is loaded`, async (t) => {
    const { loaded } = await start(t, ...call)
    assert.deepEqual(listOf(loaded, /\/node_modules\/(?!commander\/)|\/database\/|\/commands\//), [])
  })
}

for (const { call, files } of [
  { call: ['team', 'list'], files: ['deletion.ts', 'team-versions.ts', 'teams.ts'] },
  { call: ['user', 'list'], files: ['deletion.ts', 'users.ts'] },
  { call: ['blobs', 'status'], files: ['blobs.ts'] },
]) {
  test(`[CLI-42] given SQLite, when ${call.join(' ')} runs, then neither PostgreSQL, the service nor shapes are loaded`, async (t) => {
    const { loaded } = await start(t, ...call)
    const others =
      /\/node_modules\/(pg|typebox|fastify|prom-client|yjs|openid-client|saxes|pino)\/|\/packages\/solver\//
    assert.deepEqual(listOf(loaded, others), [])
    const commands = listOf(loaded, /\/cli\/commands\//).map((url) => basename(url))
    assert.deepEqual(commands.sort(), files)
  })
}

test('[CLI-42] given a command, when it runs, then its cache is with the project or in the home of its user', async (t) => {
  const { cache } = await start(t, '--version')
  const folders = [join(MAIN, '../../node_modules/.cache/compiled/'), join(userInfo().homedir, '.cache/')]
  assert.ok(cache === undefined || folders.some((folder) => cache.startsWith(folder)), cache)
})
