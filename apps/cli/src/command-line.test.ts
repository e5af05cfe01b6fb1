import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter } from 'node:path'
import { describe, test } from 'node:test'
import { STATUS_DESCRIPTIONS } from '@meadow/client/endpoints'
import { buildProgram, declarationOf, pathOf } from '@meadow/command'
import { PROGRAM } from './program.ts'
import { createMeadowCommand } from './testing/run-meadow.ts'
import { environment } from './testing/start-meadow.ts'
import { startTeam } from './testing/start-team.ts'

type Command = Awaited<ReturnType<typeof buildProgram>>

const commandsOf = (command: Command): Command[] =>
  command.commands
    .filter((one) => !one.name().startsWith('_') && one.name() !== 'help')
    .flatMap((one) => (one.commands.length > 0 ? commandsOf(one) : [one]))

const COMMANDS = commandsOf(await buildProgram(PROGRAM))

/** The first Node on the path outside of the project, if it is older than 24. */
const olderNode = (environment.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .find((folder) => /^v2[0-3]\./.test(String(spawnSync(`${folder}/node`, ['--version']).stdout)))

describe('the command line', () => {
  test('[CMD-6] given any command, when its help is asked for, then it has examples, and docs/cli.md has the command', async (t) => {
    const { run } = await createMeadowCommand(t)
    const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
    assert.ok(COMMANDS.length > 15)
    for (const command of COMMANDS) {
      const words = pathOf(command).split(' ').slice(1)
      const { code, stdout, stderr } = await run(...words, '--help')
      assert.deepEqual([code, stderr], [0, ''])
      const { examples = [], reads = [] } = declarationOf(command)!
      assert.ok(examples.length > 0, pathOf(command))
      for (const example of examples) assert.ok(stdout.includes(`  $ ${example}\n`), stdout)
      assert.ok(stdout.includes('--jq <filter>'))
      assert.equal(stdout.includes('Reads:'), reads.length > 0)
      assert.ok(page.includes(`\n## ${pathOf(command)}\n`), pathOf(command))
    }
    const [own, asked] = [await run('profile', 'use', '--help'), await run('help', 'profile', 'use')]
    assert.deepEqual(asked, own)
    assert.match(JSON.parse((await run('--version', '--json')).stdout).version, /^\d/)
  })

  test('[CMD-2] given wrong calls, when they are made, then the code is 2 and one sentence says what to do', async (t) => {
    const { run } = await createMeadowCommand(t)
    const calls = {
      'Unknown command \'valus\' (Did you mean values?). See "meadow --help".': ['valus'],
      'Unknown command \'bogus\'. See "meadow --help".': ['bogus'],
      'Missing required argument \'document\'. See "meadow get --help".': ['get'],
      'Unknown option \'--jsn\' (Did you mean --json?). See "meadow ls --help".': ['ls', '--jsn'],
      'Unknown command \'nothing\'. See "meadow --help".': ['help', 'nothing'],
    }
    for (const [sentence, call] of Object.entries(calls))
      assert.deepEqual(await run(...call), { code: 2, stdout: '', stderr: `Error: ${sentence}\n` })
    assert.deepEqual(JSON.parse((await run('valus', '--json')).stderr).error, Object.keys(calls)[0])
    const noTable = await run('whoami', '--csv', '--url', 'http://127.0.0.1:1')
    assert.equal(noTable.code, 3)
  })

  test('[CMD-2] given a status of the contract, when the service answers with it, then the command ends with its code, and shows no token', async (t) => {
    const command = await createMeadowCommand(t)
    let status = 200
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'abc' })
      response.end(JSON.stringify({ error: `Status ${status}.` }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const run = (...args: string[]) =>
      command.runWith({ env: { MEADOW_URL: url, MEADOW_TOKEN: 'mdw_secret' } }, ...args)
    for (const { status: one, exitCode, mayRetry } of STATUS_DESCRIPTIONS) {
      // What may be repeated is: the client's own tests wait for that.
      if (mayRetry) continue
      status = one
      const { code, stdout, stderr } = await run('ls', '--json')
      assert.deepEqual([code, stdout], [exitCode, ''], String(one))
      assert.deepEqual(JSON.parse(stderr), { error: `Status ${one}.`, status: one, requestId: 'abc' })
      const verbose = await run('api', '/team', '--verbose')
      assert.equal(verbose.code, exitCode)
      assert.match(verbose.stderr, /^GET \/api\/v1\/team \d+ \d+ ms abc\n/)
      assert.ok(!verbose.stderr.includes('mdw_secret'))
    }
    status = 418
    assert.equal((await run('ls')).code, 1)
  })

  test('[CMD-15] given an older Node first in the path, when the command runs, then it runs on Node 24 all the same, with its code', {
    skip: olderNode === undefined && 'there is no Node older than 24 on the path',
  }, async (t) => {
    const { start, launcher } = await createMeadowCommand(t)
    const env = { PATH: `${olderNode}${delimiter}${environment.PATH}` }
    const [version, wrong] = await Promise.all([
      start(launcher, ['--version', '--json'], { env }).finished,
      start(launcher, ['nothing'], { env }).finished,
    ])
    assert.deepEqual([version.code, version.stderr], [0, ''])
    assert.match(JSON.parse(version.stdout).version, /^\d/)
    assert.equal(wrong.code, 2)
  })

  test('[CMD-15] given a command that waits, when it gets Ctrl-C or SIGTERM, then it ends with the code of the signal', {
    skip: process.platform === 'win32' && 'Windows has other signals',
  }, async (t) => {
    const { start, launcher } = await createMeadowCommand(t)
    const asked = new Map<string, () => void>()
    const server = createServer((request) => asked.get(request.headers.authorization!)!()).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    t.after(() => server.close().closeAllConnections())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    // An older Node is the parent of the one that runs the command, and is the one that gets the signal.
    const paths = [
      environment.PATH,
      ...(olderNode === undefined ? [] : [`${olderNode}${delimiter}${environment.PATH}`]),
    ]
    const ways = paths.flatMap((PATH) => [
      { PATH, signal: 'SIGINT', expected: 130 } as const,
      { PATH, signal: 'SIGTERM', expected: 143 } as const,
    ])
    for (const [index, { PATH, signal, expected }] of ways.entries()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      asked.set(`Bearer ${index}`, resolve)
      const env = { PATH, MEADOW_URL: url, MEADOW_TOKEN: String(index) }
      const { child, finished } = start(launcher, ['ls'], { env })
      await Promise.race([promise, finished])
      child.kill(signal)
      assert.deepEqual(await finished, { code: expected, stdout: '', stderr: '' })
    }
  })

  test('[CMD-16] given an agent, when it starts the command, then it is served over stdin and stdout until it ends', async (t) => {
    const { launcher, address, secret } = await startTeam(t, ['Tower'])
    const { Client } = await import('@modelcontextprotocol/client')
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    const env = { ...(environment as Record<string, string>), MEADOW_URL: address, MEADOW_TOKEN: secret }
    const transport = new StdioClientTransport({ command: process.execPath, args: [launcher, 'mcp'], env })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const { tools } = await client.listTools()
    assert.ok(tools.length > 0 && tools.length <= 6)
    await client.close()
  })

  test('[CMD-16] given --http, when the command runs, then it says where it serves, wants a token, and stops at SIGTERM', async (t) => {
    const { start, launcher, address, secret } = await startTeam(t, ['Tower'])
    const env = { MEADOW_URL: address, MEADOW_TOKEN: secret }
    const { child, finished } = start(launcher, ['mcp', '--http', '--port', '0', '--json'], { env })
    const ended = finished.then(({ stderr }) => assert.fail(stderr))
    const [line] = await Promise.race([once(child.stdout, 'data'), ended])
    const { url } = JSON.parse(line)
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401)
    child.kill('SIGTERM')
    assert.equal((await finished).code, 0)
  })
})
