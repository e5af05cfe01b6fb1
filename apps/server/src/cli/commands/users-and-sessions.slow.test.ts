import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

describe('users and sessions', { skip: noLauncher }, () => {
  test('[CLI-22] given a user, when they are given a password, made or chosen, then it is good to sign in with, the one before is not, and sessions end', async (t) => {
    const { run, json, start } = await createCommandLine(t, {
      MEADOW_PORT: '0',
      NEW: 'chosen by hand',
    })
    await json('user', 'create', '--email', 'ann@example.org', '--name', 'Ann')
    const made = await json('user', 'set-password', 'Ann@example.org')
    assert.match(made.password, /^(\w{4}-){3}\w{4}$/)
    const { address } = JSON.parse(await start('serve', '--json').firstLine())
    const signIn = async (password: string) => {
      const response = await fetch(`${address}/app/v1/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ann@example.org', password }),
      })
      return { status: response.status, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    }
    const { status, cookie } = await signIn(made.password)
    assert.equal(status, 200)
    const chosen = await json('user', 'set-password', 'ann@example.org', '--password-env', 'NEW')
    assert.deepEqual([chosen.password, chosen.sessionsEnded], [undefined, 1])
    assert.equal((await fetch(`${address}/app/v1/me`, { headers: { cookie } })).status, 401)
    assert.deepEqual(
      [(await signIn(made.password)).status, (await signIn('chosen by hand')).status],
      [401, 200],
    )
    const short = await run('user', 'set-password', 'ann@example.org', '--password-env', 'MEADOW_PORT')
    assert.equal(short.code, 2)
    assert.match(short.stderr, /MEADOW_PORT is not set\. A password has 10 to 128 characters/)
  })

  test('[SIGN-34] given a user who has lost their second factor, when the operator resets it, then the password alone signs in again, and sessions end; the operator’s own sessions need no factor', async (t) => {
    const { run, json, start } = await createCommandLine(t, { MEADOW_PORT: '0' })
    await json('user', 'create', '--email', 'ann@example.org', '--name', 'Ann')
    const { password } = await json('user', 'set-password', 'ann@example.org')
    const { address } = JSON.parse(await start('serve', '--json').firstLine())
    const call = (method: string, path: string, cookie = '', body?: object) =>
      fetch(`${address}/app/v1${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
    const signIn = async () => {
      const response = await call('POST', '/sign-in', '', { email: 'ann@example.org', password })
      const json = (await response.json()) as { awaits?: { codes: boolean }; person?: { name: string } }
      return { json, cookie: response.headers.getSetCookie()[0]!.split(';')[0]! }
    }
    const { cookie } = await signIn()
    const response = await call('POST', '/me/factors/authenticator', cookie)
    const started = (await response.json()) as { secret: string; enrolment: string }
    const code = new TOTP({ secret: started.secret }).generate()
    const added = await call('POST', '/me/factors/authenticator/confirm', cookie, { ...started, code })
    assert.equal(added.status, 201)
    assert.equal((await signIn()).json.awaits?.codes, true)
    const agent = await json('session', 'create', '--user', 'ann@example.org')
    assert.equal((await call('GET', '/me', agent.cookie)).status, 200)

    const reset = await json('user', 'reset-factors', 'Ann@example.org')
    assert.deepEqual([reset.removed, reset.sessionsEnded], [1, 3])
    assert.equal((await call('GET', '/me', agent.cookie)).status, 401)
    const again = await signIn()
    assert.equal(again.json.person?.name, 'Ann')
    assert.equal((await call('GET', '/me', again.cookie)).status, 200)
    assert.equal((await run('user', 'reset-factors', 'bob@example.org')).code, 1)
  })

  test('[CLI-16] given a user, when they are made, listed, given another role and taken out, then each command reports it', async (t) => {
    const { run, json } = await createCommandLine(t)
    const team = await json('team', 'create', 'Acme')
    const ann = await json('user', 'create', '--email', 'Ann@Example.org', '--name', 'Ann', '--team', team.id)
    assert.deepEqual(ann.teams, [{ id: team.id, name: 'Acme', role: 'member' }])
    const bob = await run('user', 'create', '--email', 'bob@example.org', '--name', 'Bob')
    assert.match(bob.stdout, /^usr_\w{16}\n$/)
    const list = async (...args: string[]) => (await json('user', 'list', ...args)).users
    assert.deepEqual(
      (await list()).map(({ email }: { email: string }) => email),
      ['ann@example.org', 'bob@example.org'],
    )
    await json('user', 'add', 'BOB@example.org', '--team', team.id, '--role', 'viewer')
    await json('user', 'add', 'bob@example.org', '--team', team.id, '--role', 'owner')
    const roles = await list('--team', team.id)
    assert.deepEqual(
      roles.map(({ role }: { role: string }) => role),
      ['member', 'owner'],
    )
    await json('user', 'remove', 'bob@example.org', '--team', team.id)
    assert.equal((await list('--team', team.id)).length, 1)
    assert.match(
      (await run('user', 'list')).stdout,
      /^E-MAIL +NAME +ID +CREATED +CONFIRMED\nann@example\.org +Ann +usr_/,
    )
  })

  test('[CLI-16] given an address or a role that cannot be, a user that is not there, or one that is, then that is reported', async (t) => {
    const { run, json } = await createCommandLine(t)
    const team = await json('team', 'create', 'Acme')
    await json('user', 'create', '--email', 'ann@example.org', '--name', 'Ann')
    const taken = await run('user', 'create', '--email', 'ANN@example.org', '--name', 'Other')
    assert.equal(taken.code, 1)
    assert.equal(taken.stderr, 'Error: There is a user with the e-mail address "ann@example.org" already.\n')
    const wrong = await run('user', 'create', '--email', 'ann', '--name', 'Ann')
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /must be an e-mail address such as/)
    const role = await run('user', 'add', 'ann@example.org', '--team', team.id, '--role', 'king')
    assert.equal(role.code, 2)
    const unknown = await run('user', 'add', 'bob@example.org', '--team', team.id)
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /There is no user "bob@example\.org"/)
    const noMember = await run('user', 'remove', 'ann@example.org', '--team', team.id)
    assert.equal(noMember.code, 1)
    const noTeam = await run(
      'user',
      'create',
      '--email',
      'eve@example.org',
      '--name',
      'Eve',
      '--team',
      'nope',
    )
    assert.equal(noTeam.code, 1)
    assert.equal((await json('user', 'list')).users.length, 1)
  })

  test('[CLI-17] given a user, when a session is made, then its cookie is printed, and revoking ends all of them', async (t) => {
    const { run, json } = await createCommandLine(t, {
      MEADOW_SESSION_SECRET: 'the-secret-of-this-test-0123456789',
    })
    await json('user', 'create', '--email', 'ann@example.org', '--name', 'Ann')
    const { cookie, expiresAt } = await json('session', 'create', '--user', 'ann@example.org', '--days', '1')
    assert.match(cookie, /^better-auth\.session_token=[\w.%-]+$/)
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000
    assert.ok(days > 0.99 && days <= 1)
    const plain = await run('session', 'create', '--user', 'Ann@example.org')
    assert.match(plain.stdout, /^better-auth\.session_token=\S+\n$/)
    assert.ok(!plain.stderr.includes(plain.stdout.trim()))
    assert.equal((await run('session', 'create', '--user', 'bob@example.org')).code, 1)
    assert.equal((await json('session', 'revoke', '--user', 'ann@example.org')).ended, 2)
  })
})
