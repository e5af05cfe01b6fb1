import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { numbers } from '../../../apps/server/src/features/solutions/testing/graphs.ts'
import { CLIENTS, type ServerProcess } from './testing/clients.ts'
import { startMcp } from './testing/start-mcp.ts'

const COMMAND = fileURLToPath(new URL('../../../apps/cli/bin/meadow.js', import.meta.url))

const processFor = (url: string, token: string): ServerProcess => ({
  command: process.execPath,
  args: [COMMAND, 'mcp'],
  env: { MEADOW_URL: url, MEADOW_TOKEN: token },
})

for (const { name, overStdio } of CLIENTS)
  test(`[MCP-12] given ${name}, when it starts \`meadow mcp\`, then it reads documents`, async (t) => {
    const { address, secret, document } = await startMcp(t)
    const id = await document(numbers(), 'Numbers')
    const client = await overStdio(t, processFor(address, secret))
    assert.equal((await client.list('tools')).length, 6)
    assert.match(
      (await client.call('outline_document', { document: 'Numbers' })).text,
      new RegExp(`^Numbers \\(${id}\\)`),
    )
  })

test('[MCP-15] given a token that is not valid, then the server starts, and each answer says so', async (t) => {
  const { address } = await startMcp(t)
  const client = await CLIENTS.at(-1)!.overStdio(t, processFor(address, 'mdw_bad'))
  const { text, isError } = await client.call('search_documents')
  assert.ok(isError && /unknown, expired or revoked/.test(text), text)
})

test('[MCP-22] given a client that closes standard input, then the process ends by itself, and has written nothing else', async (t) => {
  const { address, secret } = await startMcp(t)
  const { command, args, env } = processFor(address, secret)
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  child.stdin.end()
  assert.deepEqual(await exit, [0, null])
  assert.equal(Buffer.concat(await child.stdout.toArray()).length, 0)
})

test('[MCP-22] given a file as standard input, when it ends, then the process ends by itself', async (t) => {
  const { address, secret } = await startMcp(t)
  const { command, args, env } = processFor(address, secret)
  const file = openSync(devNull, 'r')
  t.after(() => closeSync(file))
  const child = spawn(command, args, { env, stdio: [file, 'ignore', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const [[code], stderr] = await Promise.all([once(child, 'exit'), child.stderr!.toArray()])
  assert.deepEqual([code, Buffer.concat(stderr).toString()], [0, ''])
})

test('[MCP-22] given requests and the end of input right after them, then all are answered, whatever lines are between them', async (t) => {
  const { address, secret, document } = await startMcp(t)
  await document(numbers(), 'Numbers')
  const { command, args, env } = processFor(address, secret)
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const clientInfo = { name: 'test', version: '1.0.0' }
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const call = { name: 'search_documents', arguments: {} }
  const lines = [
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
    '{{ no JSON',
    '{"no": "message"}',
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }),
    JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'unknown' }),
    '{"jsonrpc": "2.0", "id": 4, "method": "half a',
  ]
  child.stdin.end(lines.join('\n'))
  const [stdout, stderr] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  assert.deepEqual(await exit, [0, null])
  const answers = Buffer.concat(stdout).toString().trim().split('\n')
  const byId = new Map(answers.map((line) => [JSON.parse(line).id, line]))
  assert.deepEqual([...byId.keys()].sort(), [1, 2, 3])
  assert.match(byId.get(2)!, /Numbers/)
  assert.equal(
    Buffer.concat(stderr).toString(),
    '! Standard input has a line that is no message of JSON-RPC: it is left out.\n',
  )
})
