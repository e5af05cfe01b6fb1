import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startWebApp } from '../../../server/src/testing/start-web-app.ts'
import { createMeadowCommand } from '../testing/run-meadow.ts'
import { createFolder, readLoginCode } from '../testing/start-meadow.ts'
import { startTeam } from '../testing/start-team.ts'
import { chooseConnection } from './connection.ts'
import { findConfigFile } from './profiles.ts'

const NO_SERVICE = { MEADOW_URL: '', MEADOW_TOKEN: '' }

const REFUSED = 'The login was refused, or whoever confirmed it may not create such a token.'

describe('profiles', () => {
  test('[CMD-8] given a token, when one logs in with it, then it is kept in a file for the user alone, used, and removed at logout', async (t) => {
    const { runWith, home, address, secret } = await startTeam(t, ['Plan'])
    const run = (...args: string[]) => runWith({ env: NO_SERVICE, input: `${secret}\n` }, ...args)
    assert.equal((await run('ls')).code, 3)
    const login = await run('login', `${address}/api/v1/`, '--token-stdin')
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
      address,
      '--token-stdin',
    )
    assert.equal(code, 3)
    assert.equal(stderr, 'Error: That API token is unknown, expired or revoked.\n')
    await assert.rejects(stat(join(home, '.config', 'meadow', 'config.json')))
    const unsendable = await runWith({ env: { MEADOW_TOKEN: 'tökén', MEADOW_URL: address } }, 'ls')
    assert.deepEqual([unsendable.code, unsendable.stderr.includes('tökén')], [3, false])
  })

  test('[CMD-35] given a code that somebody confirms, when one logs in, then the token is stored without being on a screen, and reads what they chose', async (t) => {
    const { address, signIn, fixtures, team } = await startWebApp(t)
    const { start, runWith, home } = await createMeadowCommand(t)
    const ann = await signIn('Ann', 'member')
    const { id: folder } = await fixtures.folder(team, 'Tower')
    const { child, finished } = start('meadow', ['login', address], { env: NO_SERVICE })
    const code = await readLoginCode(child, address)
    const chosen = { name: 'Laptop', scopes: ['team:read', 'folders:read'], folders: [folder] }
    const confirmed = await ann.request('POST', `/teams/${team.id}/device`, { code, token: chosen })
    assert.equal(confirmed.status, 200, confirmed.text)
    const login = await finished
    assert.equal(login.code, 0, login.stderr)
    assert.match(login.stdout, /^Logged in to .*, team Acme, as the profile "default"/)
    const { profiles } = JSON.parse(await readFile(join(home, '.config', 'meadow', 'config.json'), 'utf8'))
    assert.ok(profiles.default.token.startsWith('mdw_'))
    assert.ok(!(login.stdout + login.stderr).includes('mdw_'))
    const whoami = JSON.parse((await runWith({ env: NO_SERVICE }, 'whoami', '--json')).stdout)
    assert.deepEqual([whoami.scopes, whoami.reach], [['team:read', 'folders:read'], 'folders'])
  })

  test('[CMD-35] given a code that is refused, and a Ctrl-C, when one logs in, then the command ends, and nothing is stored', async (t) => {
    const { address, signIn } = await startWebApp(t)
    const { start, home } = await createMeadowCommand(t)
    const refused = start('meadow', ['login', address, '--json'], { env: NO_SERVICE })
    const code = await readLoginCode(refused.child, address)
    const { status } = await (await signIn('Ann')).request('POST', '/device/refuse', { code })
    assert.equal(status, 200)
    const { code: exit, stderr } = await refused.finished
    assert.deepEqual([exit, JSON.parse(stderr.trim().split('\n').at(-1)!).error], [3, REFUSED])
    const stopped = start('meadow', ['login', address], { env: NO_SERVICE })
    await readLoginCode(stopped.child, address)
    stopped.child.kill('SIGINT')
    assert.equal((await stopped.finished).code, 130)
    await assert.rejects(stat(join(home, '.config', 'meadow', 'config.json')))
  })

  test('[CMD-35] given a service that is asked too often, fails and then rejects, when one logs in, then each question comes later, and the reason is said; and one without codes is named', async (t) => {
    const answers: [number, object][] = [
      [400, { error: 'authorization_pending' }],
      [400, { error: 'slow_down' }],
      [503, { error: 'Try again.' }],
      [400, { error: 'expired_token' }],
    ]
    const asked: number[] = []
    const codes = { device_code: 'x', user_code: 'BCDF-GHJK', expires_in: 600, interval: 0.01 }
    const service = createServer((request, response) => {
      const isBegin = request.url === '/oauth/device_authorization'
      if (!isBegin) asked.push(performance.now())
      const [status, body] = isBegin ? [200, codes] : answers[asked.length - 1]!
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    t.after(() => service.close())
    await once(service, 'listening')
    const address = `http://127.0.0.1:${(service.address() as { port: number }).port}`
    const { runWith } = await createMeadowCommand(t)
    const { code, stderr } = await runWith({ env: NO_SERVICE }, 'login', '--url', address)
    assert.deepEqual([code, asked.length], [3, 4])
    assert.match(stderr, /Error: Nobody confirmed the code in time: log in again\.\n$/)
    assert.ok(asked[2]! - asked[1]! > 4900 && asked[3]! - asked[2]! > 9900)

    service.removeAllListeners('request').on('request', (_, response) => response.writeHead(404).end())
    const older = await runWith({ env: NO_SERVICE }, 'login', address)
    assert.match(older.stderr, /does not let programs log in by a code/)
    const location = 'https://meadow.example.org/oauth/device_authorization'
    service
      .removeAllListeners('request')
      .on('request', (_, response) => response.writeHead(301, { location }).end())
    const moved = await runWith({ env: NO_SERVICE }, 'login', address)
    assert.match(moved.stderr, /leads to https:\/\/meadow\.example\.org: log in to that address/)
    const { user_code: _, ...nameless } = codes
    for (const body of [nameless, { ...codes, interval: 0 }, { ...codes, interval: 'soon' }]) {
      const headers = { 'content-type': 'application/json' }
      service
        .removeAllListeners('request')
        .on('request', (_, response) => response.writeHead(200, headers).end(JSON.stringify(body)))
      const { stderr } = await runWith({ env: NO_SERVICE }, 'login', address)
      assert.match(stderr, /answers with something else than codes/, JSON.stringify(body))
    }
    const twice = await runWith({ env: NO_SERVICE }, 'login', address, '--url', address)
    assert.equal(twice.code, 2)
  })

  test('[CMD-8] given a token with some scopes, when it is looked at, then whoami names these', async (t) => {
    const { runWith, fixtures, team } = await startTeam(t, [])
    const { secret } = await fixtures.token(team, { scopes: ['folders:read', 'solutions:read'] })
    const { stdout, code } = await runWith({ env: { MEADOW_TOKEN: secret } }, 'whoami', '--json')
    assert.equal(code, 0)
    const { team: name, scopes } = JSON.parse(stdout)
    assert.deepEqual([name, scopes], [null, ['folders:read', 'solutions:read']])
  })

  test('[CMD-8] given a service that fails for one endpoint, when the token is looked at, then whoami fails too, in place of naming the scope', async (t) => {
    const service = createServer(({ url, method }, response) => {
      const status = method === 'GET' || url!.endsWith('/team') ? 200 : url!.includes('/solution') ? 500 : 403
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ team: { name: 'Acme', rootFolderId: 'fld_1' } }))
    }).listen(0, '127.0.0.1')
    t.after(() => service.close())
    await once(service, 'listening')
    const address = `http://127.0.0.1:${(service.address() as { port: number }).port}`
    const { runWith } = await createMeadowCommand(t)
    const env = { ...NO_SERVICE, MEADOW_TOKEN: 'mdw_x' }
    const { code, stderr, stdout } = await runWith({ env }, 'whoami', '--url', address)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /The answer of http:\/\/127.*\/documents\/-\/solution has the status 500/)
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
      runWith({ env: NO_SERVICE, input: token }, 'login', address, '--profile', name, '--token-stdin')
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
    await runWith({ env: NO_SERVICE, input: secret }, 'login', address, '--token-stdin')
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
