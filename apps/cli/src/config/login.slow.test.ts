import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createFolder } from '../testing/run-meadow.ts'
import { startTeam } from '../testing/start-team.ts'
import { chooseConnection } from './connection.ts'
import { findConfigFile } from './profiles.ts'

const NO_SERVICE = { MEADOW_URL: '', MEADOW_TOKEN: '' }

describe('profiles', () => {
  test('[CMD-8] given a token, when one logs in with it, then it is kept in a file for the user alone, used, and removed at logout', async (t) => {
    const { runWith, home, address, secret } = await startTeam(t, ['Plan'])
    const run = (...args: string[]) => runWith({ env: NO_SERVICE, input: `${secret}\n` }, ...args)
    assert.equal((await run('ls')).code, 3)
    const login = await run('login', '--url', `${address}/api/v1/`)
    assert.deepEqual([login.code, login.stderr], [0, ''])
    assert.ok(!login.stdout.includes(secret))
    const file = join(home, '.config', 'meadow', 'config.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await stat(join(home, '.config', 'meadow'))).mode & 0o777, 0o700)
    const whoami = JSON.parse((await run('whoami', '--json')).stdout)
    assert.deepEqual(whoami, {
      url: address,
      team: 'Acme',
      profile: 'default',
      scopes: ['team:read', 'folders:read', 'documents:read', 'solutions:read', 'exports:read'],
      reach: 'team',
    })
    assert.equal((await run('ls')).code, 0)
    assert.equal((await run('logout')).code, 0)
    assert.ok(!(await readFile(file, 'utf8')).includes(secret))
    assert.equal((await run('ls')).code, 3)
  })

  test('[CMD-8] given a token that the service rejects, when one logs in with it, then nothing is stored', async (t) => {
    const { runWith, home, address } = await startTeam(t, [])
    const { code, stderr } = await runWith(
      { env: NO_SERVICE, input: 'mdw_nothing' },
      'login',
      '--url',
      address,
    )
    assert.equal(code, 3)
    assert.equal(stderr, 'Error: That API token is unknown, expired or revoked.\n')
    await assert.rejects(stat(join(home, '.config', 'meadow', 'config.json')))
    const unsendable = await runWith({ env: { MEADOW_TOKEN: 'tökén', MEADOW_URL: address } }, 'ls')
    assert.deepEqual([unsendable.code, unsendable.stderr.includes('tökén')], [3, false])
  })

  test('[CMD-8] given a terminal, when one logs in, then address and token are asked for, and the token is not shown', async (t) => {
    const { runWith, address, secret } = await startTeam(t, [])
    const { code, stdout, stderr } = await runWith(
      { env: NO_SERVICE, columns: 100, input: `${secret}\n` },
      ...['login', '--url', address],
    )
    assert.equal(code, 0, stderr)
    assert.match(stderr, /API token \(it is not shown\): \n$/)
    assert.ok(!(stdout + stderr).includes(secret))
  })

  test('[CMD-8] given a token with some scopes, when it is looked at, then whoami names these', async (t) => {
    const { runWith, fixtures, team } = await startTeam(t, [])
    const { secret } = await fixtures.token(team, { scopes: ['folders:read', 'solutions:read'] })
    const { stdout, code } = await runWith({ env: { MEADOW_TOKEN: secret } }, 'whoami', '--json')
    assert.equal(code, 0)
    const { team: name, scopes } = JSON.parse(stdout)
    assert.deepEqual([name, scopes], [null, ['folders:read', 'solutions:read']])
  })

  test('[CMD-8] given a file of profiles that others may read, when it is used, then it is closed to them, and that is said', {
    skip: process.platform === 'win32' && 'Windows has other rights',
  }, async (t) => {
    const { runWith, home, address, secret } = await startTeam(t, [])
    const file = join(home, '.config', 'meadow', 'config.json')
    await mkdir(join(home, '.config', 'meadow'), { recursive: true })
    await writeFile(file, JSON.stringify({ profiles: { default: { url: address, token: secret } } }))
    await chmod(file, 0o644)
    const { code, stderr } = await runWith({ env: NO_SERVICE }, 'ls')
    assert.equal(code, 0)
    assert.match(stderr, /^! Others could read /)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await runWith({ env: NO_SERVICE }, 'ls')).stderr, '')
    await writeFile(file, '{"profiles": 5}')
    assert.match((await runWith({ env: NO_SERVICE }, 'ls')).stderr, /is not a file of profiles/)
  })

  test('[CMD-9] given several profiles, when they are used, then the option comes before the environment, and that before the current one', async (t) => {
    const { runWith, address, secret, fixtures } = await startTeam(t, [])
    const other = await fixtures.team('Other')
    const { secret: theirs } = await fixtures.token(other)
    const login = (token: string, name: string) =>
      runWith({ env: NO_SERVICE, input: token }, 'login', '--url', address, '--profile', name)
    await login(secret, 'acme')
    await login(theirs, 'other')
    const teamOf = async (env: Record<string, string>, ...args: string[]) =>
      JSON.parse((await runWith({ env: { ...NO_SERVICE, ...env } }, 'whoami', '--json', ...args)).stdout).team
    assert.equal(await teamOf({}), 'Other')
    await runWith({ env: NO_SERVICE }, 'profile', 'use', 'acme')
    assert.equal(await teamOf({}), 'Acme')
    assert.equal(await teamOf({ MEADOW_PROFILE: 'other' }), 'Other')
    assert.equal(await teamOf({ MEADOW_TOKEN: theirs }), 'Other')
    assert.equal(await teamOf({ MEADOW_TOKEN: theirs }, '--profile', 'acme'), 'Acme')
    const list = JSON.parse((await runWith({ env: NO_SERVICE }, 'profile', 'list', '--json')).stdout)
    assert.deepEqual(
      list.profiles.map(({ name, isCurrent }: { name: string; isCurrent: boolean }) => [name, isCurrent]),
      [
        ['acme', true],
        ['other', false],
      ],
    )
    assert.equal((await runWith({ env: NO_SERVICE }, 'ls', '--profile', 'none')).code, 2)
  })

  test('[CMD-9] given a profile of one service, when another one is named, then its token is not sent there', async (t) => {
    const { runWith, address, secret } = await startTeam(t, [])
    let requests = 0
    const other = createServer((_, response) => {
      requests++
      response.end()
    }).listen(0, '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as { port: number }).port}`
    await runWith({ env: NO_SERVICE, input: secret }, 'login', '--url', address)
    const byOption = await runWith({ env: NO_SERVICE }, 'ls', '--url', url)
    const byBoth = await runWith({ env: NO_SERVICE }, 'ls', '--url', url, '--profile', 'default')
    const byVariable = await runWith({ env: { ...NO_SERVICE, MEADOW_URL: url } }, 'ls')
    assert.deepEqual([byOption.code, byBoth.code, byVariable.code, requests], [3, 2, 3, 0])
  })

  test('[CMD-9] given no profile, when there is a token, then the service is the one on this computer', () => {
    const env = { MEADOW_TOKEN: 'x' }
    assert.deepEqual(chooseConnection({ profiles: {} }, {}, env), {
      url: 'http://127.0.0.1:4000',
      token: 'x',
    })
    const profiles = { work: { url: 'https://a.example.org', token: 'y' } }
    assert.equal(chooseConnection({ profiles, current: 'work' }, {}, env).url, 'https://a.example.org')
    for (const url of ['ftp://x', 'nothing', 'https://user:secret@x'])
      assert.throws(() => chooseConnection({ profiles }, { url }, env), /must be one such as/)
  })

  test('[CMD-8] given a system, when the file of profiles is looked for, then it is where that system keeps settings', async (t) => {
    const home = await createFolder(t)
    const find = (platform: NodeJS.Platform, env = {}) =>
      findConfigFile({ env, home, platform }).slice(home.length)
    assert.equal(find('linux'), join('/.config', 'meadow', 'config.json'))
    assert.equal(find('darwin'), join('/Library', 'Application Support', 'meadow', 'config.json'))
    assert.equal(find('win32'), join('/AppData', 'Roaming', 'meadow', 'config.json'))
    const named = { XDG_CONFIG_HOME: join(home, 'x'), APPDATA: join(home, 'y') }
    assert.equal(find('linux', named), join('/x', 'meadow', 'config.json'))
    assert.equal(find('win32', named), join('/y', 'meadow', 'config.json'))
    assert.equal(find('linux', { XDG_CONFIG_HOME: 'relative' }), find('linux'))
  })
})
