import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { WEBHOOK_MESSAGES } from '@meadow/contract'
import { Check } from 'typebox/value'
import { atEnd } from '../../testing/at-end.ts'
import { findFreePort } from '../../testing/find-free-port.ts'
import { createQuickFolder } from '../../testing/quick-folder.ts'
import { until } from '../../testing/until.ts'
import { createWebhookSecret, signMessage } from './post-message.ts'

const ROOT = new URL('../../../../../', import.meta.url)
const page = await readFile(new URL('docs/webhooks.md', ROOT), 'utf8')

/** The only code block of the page in a language. */
function exampleOf(language: string): string {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}(?: not-run)?\n(.*?)^\`\`\`$`, 'gms'))]
  assert.equal(blocks.length, 1, language)
  return blocks[0]![1]!
}

const run = promisify(execFile)
const missing = (...programs: string[]) =>
  programs.filter((program) => spawnSync(program, ['--version']).error !== undefined)
const skipWithout = (...programs: string[]) =>
  missing(...programs).length > 0 && `not installed here: ${missing(...programs).join(', ')}`

const BODY = JSON.stringify({
  type: 'webhook.test',
  timestamp: '2026-11-28T09:30:00.000Z',
  data: { team: { id: 'team_0', name: 'Façades “Nord”' }, webhook: { id: 'whk_0' } },
})

test('[HOOK-14] given the message in the documentation, then its schema describes it', () => {
  const [, body] = exampleOf('http').split('\n\n')
  assert.ok(Check(WEBHOOK_MESSAGES['document.solved'], JSON.parse(body!)))
})

test('[HOOK-14] given the receiver in Python, then it accepts what Meadow signed, also with two secrets, and nothing that is forged or old', {
  skip: skipWithout('python3'),
}, async () => {
  const [secret, other] = [createWebhookSecret(), createWebhookSecret()]
  const now = Date.now()
  const sign = (secrets: string[], at = now) => signMessage({ id: 'msg_0', body: BODY, secrets }, at)
  const cases = [
    { headers: sign([secret]), body: BODY },
    { headers: sign([other, secret]), body: BODY },
    { headers: sign([other]), body: BODY },
    { headers: sign([secret]), body: `${BODY} ` },
    { headers: { ...sign([secret]), 'webhook-id': 'msg_1' }, body: BODY },
    { headers: sign([secret], now - 3_600_000), body: BODY },
  ]
  const harness = `
import sys
secret, cases = json.loads(sys.argv[1])
for case in cases:
    try:
        print(json.dumps(verify(secret, case["headers"], case["body"].encode())["data"]["team"]["name"]))
    except ValueError as error:
        print(json.dumps(str(error)))
`
  const { stdout } = await run('python3', [
    '-c',
    exampleOf('python') + harness,
    JSON.stringify([secret, cases]),
  ])
  const wrong = 'the signature is wrong'
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    ['Façades “Nord”', 'Façades “Nord”', wrong, wrong, wrong, 'the message is too old'],
  )
})

test('[HOOK-14] given the receiver in TypeScript, when the commands for a shell send it a message, then it accepts that, and refuses one with another signature', {
  skip: skipWithout('sh', 'curl', 'openssl'),
}, async (t) => {
  const shell = exampleOf('sh')
  const secret = /^SECRET=(\S+)$/m.exec(shell)![1]!
  const folder = await createQuickFolder('meadow-test-')
  atEnd(t, () => rm(folder, { recursive: true }))
  await symlink(fileURLToPath(new URL('node_modules', ROOT)), join(folder, 'node_modules'), 'junction')
  const port = await findFreePort()
  await writeFile(join(folder, 'receiver.ts'), exampleOf('ts').replace('8080', String(port)))
  const receiver = spawn(process.execPath, [join(folder, 'receiver.ts')], {
    env: { MEADOW_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, async () => {
    if (receiver.kill()) await once(receiver, 'exit')
  })
  let printed = ''
  receiver.stdout.on('data', (bytes) => {
    printed += bytes
  })
  const url = `http://127.0.0.1:${port}/`
  await until('it listens', () => fetch(url, { method: 'POST' }).catch(() => false as const))
  const send = async (commands: string) =>
    (await run('sh', ['-c', commands.replace(/https:\S+/, url)])).stdout.slice(0, 'HTTP/1.1 000'.length)
  assert.equal(await send(shell), 'HTTP/1.1 204')
  await until('it prints the message', async () => printed.includes("type: 'webhook.test'"))
  assert.equal(await send(shell.replace('"webhook-id: $ID"', '"webhook-id: other"')), 'HTTP/1.1 400')
})
