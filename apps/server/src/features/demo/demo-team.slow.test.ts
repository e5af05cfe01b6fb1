import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'

test('[DEMO-13, DEMO-14, DEMO-15, DEMO-16] given no team yet, when the server starts with the demo, then its documents are solved, every state can be seen, and its lines work', {
  skip: noLauncher,
}, async (t) => {
  const settings = {
    MEADOW_PORT: '0',
    // On a busy machine a document may take longer than a solve may.
    MEADOW_SOLVE_SECONDS: '600',
  }
  const { start, json, shell, dataDir } = await createCommandLine(t, settings, { empty: true })
  const server = start('serve', '--demo', '--json')
  const {
    address,
    token,
    team,
    try: lines,
    commands,
    solutions,
    owner,
  } = JSON.parse(await server.firstLine())
  const headers = { authorization: `Bearer ${token}` }
  const statusOf = async (id: string) =>
    (await fetch(`${address}/api/v1/documents/${id}/solution`, { headers })).status
  const { documents } = (await (await fetch(`${address}/api/v1/documents`, { headers })).json()) as {
    documents: { id: string; name: string }[]
  }
  assert.equal(documents.length, 15)
  const listEnded = async () =>
    (await Promise.all(documents.map(({ id }) => statusOf(id)))).filter((status) => status !== 202)
  let ended: number[] = []
  // One after the other, since all of them together take minutes on a busy machine.
  while (ended.length < documents.length)
    ended = await until('another solve has ended', async () => {
      const now = await listEnded()
      return now.length > ended.length && now
    })
  assert.deepEqual(ended.toSorted(), [...Array(13).fill(200), 409, 502])
  const expected = { solved: 200, failed: 502, never: 409 }
  for (const { id, state } of solutions as { id: string; state: keyof typeof expected }[])
    assert.equal(await statusOf(id), expected[state], state)
  assert.deepEqual(solutions.map(({ state }: { state: string }) => state).toSorted(), [
    'failed',
    'never',
    'solved',
  ])
  for (const line of lines) {
    const curl = await shell(`${line} --silent --output /dev/null --write-out '%{http_code}'`)
    assert.equal(curl.stdout, '200', line)
  }
  assert.ok(lines.some((line: string) => line.includes('/export?format=.3dm')))
  const profile = join(dataDir, 'profile')
  for (const line of commands) {
    const { code, stderr } = await shell(`export HOME="$1" XDG_CONFIG_HOME="$1"; ${line}`, profile)
    assert.equal(code, 0, `${line}: ${stderr}`)
  }
  const signed = await fetch(`${address}/app/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  })
  const me = (await signed.json()) as { teams: { id: string; role: string }[] }
  assert.deepEqual([me.teams[0]!.id, me.teams[0]!.role], [team, 'owner'])
  const { credits } = await json('team', 'credits', team)
  assert.ok(credits > 0 && credits < 36_000)
})

test('[DEMO-15, DEMO-17] given a demo team with its owner, when the server starts again, then it says how to sign in, and the password and the token stay', {
  skip: noLauncher,
}, async (t) => {
  const { start, json, run, dataDir } = await createCommandLine(t, {
    MEADOW_PORT: '0',
    MEADOW_SOLVE_WORKERS: '0',
  })
  const startOnce = async () => {
    const server = start('serve', '--demo')
    await server.wrote('stdout', 'Ctrl-C')
    server.kill('SIGTERM')
    const { stdout } = await server.finished
    return { stdout, token: /mdw_\w+/.exec(stdout)![0] }
  }
  const first = await startOnce()
  assert.match(first.stdout, /e-mail +owner@demo\.example\n +password +(\w{4}-){3}\w{4} /)
  const second = await startOnce()
  assert.match(second.stdout, /e-mail +owner@demo\.example\n +password +as the first start showed it/)
  assert.equal((await json('user', 'list')).users.length, 1)
  assert.equal(second.token, first.token)
  const file = join(dataDir, 'demo-token')
  assert.equal((await stat(file)).mode & 0o077, 0)

  const command = /(user set-password \S+)/.exec(second.stdout)![1]!
  assert.match((await run(...command.split(' '))).stdout, /^(\w{4}-){3}\w{4}\n$/)

  const listTokens = async () =>
    (await json('token', 'list', '--team', /--team (\w+)/.exec(first.stdout)![1]!)).tokens as { id: string }[]
  const [token, ...others] = await listTokens()
  assert.deepEqual(others, [])
  await json('token', 'revoke', token!.id)
  const third = await startOnce()
  assert.notEqual(third.token, first.token)
  assert.equal((await listTokens()).length, 2)
  await writeFile(file, 'not a token')
  assert.notEqual((await startOnce()).token, third.token)
})

test('[DEMO-13] given a team, but not that of the demo, when the server starts with the demo, then it makes none and says so', {
  skip: noLauncher,
}, async (t) => {
  const { start, run, json } = await createCommandLine(t, { MEADOW_PORT: '0', MEADOW_SOLVE_WORKERS: '0' })
  await run('team', 'create', 'Facades')
  const server = start('serve', '--demo')
  await server.wrote('stderr', 'no demo team was made. "')
  server.kill('SIGTERM')
  await server.finished
  assert.equal((await json('team', 'list')).teams.length, 1)
})
