import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ALL_SCOPES } from '@meadow/contract'
import { DATABASES } from '../../testing/databases.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { startServer } from '../../testing/start-server.ts'

const SOON = new Date(Date.now() + 86_400_000).toISOString()

describe('teams and tokens', { skip: noLauncher }, () => {
  test('[CLI-1] given a team, when it is made, then its id alone is on standard output, and it is listed', async (t) => {
    const { start, run, json } = await createCommandLine(t)
    const options = ['--host', 'Acme.Example.ORG', '--credits', '3600']
    const made = await start('team', 'create', ' Façades ', ...options).finished
    assert.equal(made.code, 0)
    const id = made.stdout.trim()
    assert.match(made.stderr, /Façades/)
    const { teams } = await json('team', 'list')
    assert.equal(teams.length, 1)
    const { createdAt, ...team } = teams[0]
    assert.deepEqual(team, {
      id,
      name: 'Façades',
      host: 'acme.example.org',
      credits: 3600,
      solver: 'meadow',
      units: 'none',
    })
    assert.equal(new Date(createdAt).toISOString(), createdAt)
    const { stdout } = await run('team', 'list')
    assert.match(
      stdout,
      new RegExp(
        `^ID +NAME +HOST +CREDITS +SOLVER +CREATED\n${id} +Façades +acme\\.example\\.org +3600\\.0 +meadow `,
      ),
    )
  })

  test('given a host that is none or that another team has, when a team is made with it, then that is rejected', async (t) => {
    const { run, json } = await createCommandLine(t)
    await json('team', 'create', 'One', '--host', 'one.example.org')
    const taken = await run('team', 'create', 'Two', '--host', 'ONE.example.org.')
    assert.deepEqual(taken, {
      code: 1,
      stdout: '',
      stderr: 'Error: Another team has the host name "one.example.org".\n',
    })
    const wrong = ['one.example.org:4000', 'https://one.example.org', 'a b', '', '-x.org']
    const responses = await Promise.all(wrong.map((host) => run('team', 'create', 'Two', `--host=${host}`)))
    for (const { code, stderr } of responses) {
      assert.equal(code, 2)
      assert.match(stderr, /It must be a host name such as acme\.example\.org, without a port\./)
    }
    assert.equal((await json('team', 'list')).teams.length, 1)
  })

  test('[CLI-23] given a team, when its host name is set, shown and taken away, then each command reports it, and only that changes', async (t) => {
    const { run, json } = await createCommandLine(t, { MEADOW_BASE_URL: 'https://meadow.example.org' })
    const team = await json('team', 'create', 'Acme')
    const other = await json('team', 'create', 'Other', '--host', 'other.example.org')
    assert.deepEqual(await json('team', 'host', team.id), { id: team.id, host: null })
    const set = await run('team', 'host', team.id, 'Façade.Example.org.')
    assert.deepEqual(set, {
      code: 0,
      stdout: 'xn--faade-zra.example.org\n',
      stderr:
        'Team "Acme" has the host name "xn--faade-zra.example.org" now: under it, tokens of other teams are refused.\n',
    })
    assert.equal((await json('team', 'host', team.id)).host, 'xn--faade-zra.example.org')
    const hosts = async () => (await json('team', 'list')).teams.map(({ host }: { host: string }) => host)
    assert.deepEqual(await hosts(), ['xn--faade-zra.example.org', 'other.example.org'])
    const taken = await run('team', 'host', team.id, 'OTHER.example.org')
    assert.deepEqual(
      [taken.code, taken.stderr],
      [1, 'Error: Another team has the host name "other.example.org".\n'],
    )
    // Its own once more is no conflict.
    assert.equal((await json('team', 'host', other.id, 'other.example.org')).host, 'other.example.org')
    for (const wrong of ['acme.example.org:4000', 'https://acme.example.org', 'a b', '', '127.0.0.1']) {
      const { code, stderr } = await run('team', 'host', team.id, wrong)
      assert.equal(code, 2, wrong)
      assert.match(stderr, /It must be a host name such as acme\.example\.org, without a port\./)
    }
    const both = await run('team', 'host', team.id, 'acme.example.org', '--none')
    assert.equal(both.code, 2)
    assert.equal((await run('team', 'host', 'nope')).code, 1)
    assert.deepEqual(await hosts(), ['xn--faade-zra.example.org', 'other.example.org'])
    assert.deepEqual(await json('team', 'host', team.id, '--none'), { id: team.id, host: null })
    assert.deepEqual(await hosts(), [null, 'other.example.org'])
  })

  test('[CLI-23] given the name under which every team reaches the server, when a team is to have it, then that is rejected; where it is not known, that is reported', async (t) => {
    const known = await createCommandLine(t, {
      MEADOW_BASE_URL: 'https://Meadow.example.org:8443/path',
      MEADOW_HOST: 'inside.example.org',
    })
    const team = await known.json('team', 'create', 'Acme')
    for (const host of ['meadow.example.org', 'MEADOW.example.org.', 'inside.example.org']) {
      for (const args of [
        ['host', team.id, host],
        ['create', 'Other', '--host', host],
      ]) {
        const { code, stderr } = await known.run('team', ...args)
        assert.equal(code, 1, host)
        assert.match(stderr, /^Error: Every team reaches this server under "(meadow|inside)\.example\.org"/)
      }
    }
    assert.equal((await known.json('team', 'list')).teams.length, 1)
    const unknown = await createCommandLine(t, { MEADOW_DATA_DIR: known.dataDir })
    const set = await unknown.run('team', 'host', team.id, 'meadow.example.org')
    assert.equal(set.code, 0)
    assert.match(set.stderr, /MEADOW_BASE_URL is not set here, so it was not checked/)
  })

  test('[CLI-38] given a team, when its unit is shown and set, then each command reports it, and another unit is a usage error', async (t) => {
    const { json, run } = await createCommandLine(t)
    const team = await json('team', 'create', 'Acme')
    assert.deepEqual(await json('team', 'units', team.id), { id: team.id, units: 'none' })
    const set = await run('team', 'units', team.id, 'nautical miles')
    assert.deepEqual([set.code, set.stdout], [0, 'nautical miles\n'])
    assert.match(
      set.stderr,
      /^Team "Acme": solutions have the unit "nautical miles" from the next solve on\./,
    )
    const unknown = await run('team', 'units', team.id, 'ells')
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /Allowed choices are none, millimeters, /)
    assert.deepEqual(
      (await json('team', 'list')).teams.map(({ units }: { units: string }) => units),
      ['nautical miles'],
    )
    assert.match((await run('team', 'units', team.id, 'none')).stderr, /have no unit from the next solve on/)
    assert.equal((await run('team', 'units', 'nope')).code, 1)
  })

  test('[CLI-26] given a team, when its solver is shown and chosen, then each command reports it, and Rhino.Compute can be chosen only where there is a server', async (t) => {
    const without = await createCommandLine(t)
    const team = await without.json('team', 'create', 'Acme')
    assert.deepEqual(await without.json('team', 'solver', team.id), { id: team.id, solver: 'meadow' })
    assert.deepEqual(await without.run('team', 'solver', team.id, '--use', 'compute'), {
      code: 1,
      stdout: '',
      stderr:
        'Error: There is no Rhino.Compute server: set MEADOW_COMPUTE_URL here and for every process that solves.\n',
    })
    const { run, json } = await createCommandLine(t, {
      MEADOW_DATA_DIR: without.dataDir,
      MEADOW_COMPUTE_URL: 'https://compute.example.org',
    })
    const solvers = async () =>
      (await json('team', 'list')).teams.map(({ solver }: { solver: string }) => solver)
    assert.deepEqual(await solvers(), ['meadow'])
    const chosen = await run('team', 'solver', team.id, '--use', 'compute')
    assert.deepEqual([chosen.code, chosen.stdout], [0, 'compute\n'])
    assert.match(
      chosen.stderr,
      /^Team "Acme": Rhino\.Compute solves now what Meadow cannot\. Solutions that are there stay/,
    )
    assert.deepEqual(await solvers(), ['compute'])
    // Back without a server.
    assert.equal((await without.json('team', 'solver', team.id, '--use', 'meadow')).solver, 'meadow')
    assert.equal((await run('team', 'solver', team.id, '--use', 'rhino')).code, 2)
    assert.equal((await run('team', 'solver', 'nope')).code, 1)
  })

  test('[CLI-10] given a token, when it is made, then its secret is printed this once', async (t) => {
    const { run, json } = await createCommandLine(t)
    const team = await json('team', 'create', 'Acme')
    const made = await run('token', 'create', '--team', team.id, '--name', 'Nightly')
    const secret = made.stdout.trim()
    assert.match(secret, /^mdw_\w{30,}$/)
    assert.doesNotMatch(made.stderr, new RegExp(secret))
    const listed = await run('token', 'list', '--team', team.id, '--json')
    assert.ok(!listed.stdout.includes(secret))
    const [token] = JSON.parse(listed.stdout).tokens
    assert.deepEqual(
      { ...token, id: '', createdAt: '', expiresAt: '' },
      {
        id: '',
        name: 'Nightly',
        kind: 'service',
        hint: secret.slice(0, token.hint.length),
        scopes: ALL_SCOPES,
        folders: null,
        addresses: [],
        origins: [],
        state: 'valid',
        createdAt: '',
        lastUsedAt: null,
        lastUsedFrom: null,
        expiresAt: '',
        revokedAt: null,
        endReason: null,
        replacedBy: null,
      },
    )
    assert.equal(Math.round((Date.parse(token.expiresAt) - Date.now()) / 86_400_000), 90)
    assert.ok(token.hint.length < 12)
  })

  test('[CLI-10] given scopes and an expiry, when a token is made, then it has them; wrong ones are rejected', async (t) => {
    const { run, json } = await createCommandLine(t)
    const team = await json('team', 'create', 'Acme')
    const create = ['token', 'create', '--team', team.id, '--name', 'CI']
    const token = await json(
      ...create,
      '--scope',
      'documents:read',
      '--scope',
      'team:read',
      '--expires',
      SOON,
    )
    assert.deepEqual(token.scopes, ['team:read', 'documents:read'])
    assert.equal(token.expiresAt, SOON)
    const [scope, past] = await Promise.all([
      run(...create, '--scope', 'documents:write'),
      run(...create, '--expires', '2020-01-01'),
    ])
    assert.equal(scope.code, 2)
    for (const name of ALL_SCOPES) assert.ok(scope.stderr.includes(name), scope.stderr)
    assert.equal(past.code, 2)
    assert.match(past.stderr, /It must be in the future\./)
  })

  test('[TOK-26] given folders by path and by id, when a token is made for them, then it reads those only, and the list shows them; others are rejected', async (t) => {
    const { start, run, dataDir } = await createCommandLine(t)
    const { team, fixtures, get } = await startServer(t, { MEADOW_DATA_DIR: dataDir })
    const bridge = await fixtures.folder(team, 'Bridge')
    await fixtures.folder(team, 'Projects', 'Tower')
    const create = ['token', 'create', '--team', team.id, '--name', 'Site']
    const made = await start(...create, '--folder', 'Projects/Tower', '--folder', bridge.id).finished
    assert.match(made.stderr, /reads "Bridge", "Tower" only/)
    const { json } = await get('/folders/root', { token: made.stdout.trim() })
    const seen = json.folder.folders.map(({ name }: { name: string }) => name)
    assert.deepEqual(seen, ['Bridge', 'Tower'])
    const { stdout } = await run('token', 'list', '--team', team.id)
    assert.match(stdout, /Z +"Bridge", "Tower" +team:read/)
    assert.match(stdout, /never +all +team:read/)
    for (const none of ['Projects/East', 'fld_0000000000000000', 'Tower']) {
      const { code, stderr } = await run(...create, '--folder', none)
      assert.deepEqual([code, stderr], [1, `Error: The team "Acme" has no folder "${none}".\n`])
    }
  })

  test('given a token, when it is revoked, once or twice, then it is; an unknown id is not repeated', async (t) => {
    const { run, json } = await createCommandLine(t)
    const team = await json('team', 'create', 'Acme')
    const token = await json('token', 'create', '--team', team.id, '--name', 'CI')
    const revoked = await json('token', 'revoke', token.id)
    assert.equal(revoked.state, 'revoked')
    assert.deepEqual(await json('token', 'revoke', token.id), revoked)
    const wrong = await run('token', 'revoke', token.token)
    assert.equal(wrong.code, 1)
    assert.ok(!wrong.stderr.includes(token.token))
  })

  test('[NAME-4] given names with characters that are not shown, when a team is named by them, then that is refused with the character', async (t) => {
    const { run } = await createCommandLine(t)
    for (const [name, code] of [
      ['bidi \u202e name', 'U+202E'],
      ['esc \u001b[2J', 'U+001B'],
    ]) {
      const refused = await run('team', 'create', name!)
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, new RegExp(`leave out the character ${RegExp.escape(code!)}`))
    }
  })

  test('[CLI-11] given a running server, when a token is made and revoked, then its requests are answered, and the next is rejected', async (t) => {
    const { start, dataDir } = await createCommandLine(t)
    const json = (...args: string[]) => start(...args, '--json').json()
    const { get } = await startServer(t, { MEADOW_DATA_DIR: dataDir })
    const team = await json('team', 'create', 'Beside')
    const token = await json('token', 'create', '--team', team.id, '--name', 'CI')
    const response = await get('/team', { token: token.token })
    assert.equal(response.status, 200)
    assert.equal(response.json.team.name, 'Beside')
    await json('token', 'revoke', token.id)
    assert.equal((await get('/team', { token: token.token })).status, 401)
  })

  for (const kind of DATABASES.filter(({ name }) => name === 'postgres')) {
    test(
      'given PostgreSQL, named by a file, when commands run, then they work as on the embedded database',
      kind.options,
      async (t) => {
        const { databaseUrl } = await kind.createLocation(t)
        const file = join(await createFolder(t, { url: `${databaseUrl}\n` }), 'url')
        const over = await createCommandLine(t, { DATABASE_URL_FILE: file }, { empty: true })
        const team = await over.json('team', 'create', 'Acme', '--host', 'acme.example.org')
        const token = await over.json('token', 'create', '--team', team.id, '--name', 'CI', '--expires', SOON)
        assert.deepEqual((await over.json('team', 'list')).teams, [team])
        const { token: secret, ...listed } = token
        assert.deepEqual((await over.json('token', 'list', '--team', team.id)).tokens, [listed])
        assert.equal((await over.json('token', 'revoke', token.id)).state, 'revoked')
        assert.deepEqual(await readdir(over.dataDir), [])
      },
    )
  }
})
