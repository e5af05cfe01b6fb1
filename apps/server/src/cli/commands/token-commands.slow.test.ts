import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTokenSecret, looksLikeToken } from '../../access/tokens.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { startServer } from '../../testing/start-server.ts'

describe("the operator's commands about tokens", { skip: noLauncher }, () => {
  test('[TOK-12] given a secret that became known, when it is given on stdin, then its token ends with the next request, and the secret is not printed', async (t) => {
    const { dataDir, shell } = await createCommandLine(t)
    const { get, team, secret } = await startServer(t, { MEADOW_DATA_DIR: dataDir })
    const revoke = (input: string) =>
      shell('printf %s "$1" | meadow-server token revoke --value-stdin --json', input)
    assert.equal((await get('/team')).status, 200)
    const { code, stdout, stderr } = await revoke(`  ${secret}\n`)
    assert.equal(code, 0, stderr)
    const token = JSON.parse(stdout)
    assert.deepEqual([token.state, token.endReason, token.team], ['revoked', 'leaked', team.id])
    assert.ok(!(stdout + stderr).includes(secret))
    assert.equal((await get('/team')).status, 401)
    const unknown = createTokenSecret()
    const wrong = [unknown, `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`, `x${secret}`, '']
    for (const input of wrong) {
      const rejected = await revoke(input)
      assert.equal(rejected.code, 1, input)
      assert.ok(input === '' || !rejected.stderr.includes(input))
    }
  })

  test('[TOK-12] given a token, when it is replaced and the policy is set by the operator, then the list shows it, and tokens beyond the policy are rejected', async (t) => {
    const { run, json } = await createCommandLine(t)
    const team = await json('team', 'create', 'Acme')
    const create = ['token', 'create', '--team', team.id, '--name', 'CI']
    const token = await json(...create, '--expires', 'never', '--address', '10.0.0.0/8')
    const next = await json('token', 'replace', token.id, '--overlap', '168')
    assert.ok(looksLikeToken(next.token))
    assert.deepEqual(
      [next.replaces, next.expiresAt, next.addresses, next.kind],
      [token.id, null, ['10.0.0.0/8'], 'service'],
    )
    const list = async () => (await json('token', 'list', '--team', team.id)).tokens
    assert.equal((await list())[0].replacedBy, next.id)
    assert.match((await run('token', 'list', '--team', team.id)).stdout, new RegExp(`replaced by ${next.id}`))
    const again = await run('token', 'replace', token.id)
    assert.deepEqual([again.code, again.stdout], [1, ''])
    assert.equal((await run('token', 'replace', 'tok_nonsense')).code, 1)

    const policy = ['token', 'policy', '--team', team.id]
    assert.equal((await json(...policy)).longestDays, null)
    const set = await json(...policy, '--longest-life', '30', '--scope', 'team:read', '--address', '::1')
    assert.deepEqual(
      [set.longestDays, set.scopes, set.addresses, set.effect],
      [30, ['team:read'], ['::1'], { shortened: 1, narrowed: 2, ended: 0 }],
    )
    const beyond = await run(...create, '--expires', '31d')
    assert.deepEqual(
      [beyond.code, beyond.stderr],
      [1, "Error: The team's policy allows API tokens to last 30 days at most.\n"],
    )
    assert.deepEqual((await json(...create)).scopes, ['team:read'])
    for (const wrong of [
      ['--longest-life', '0'],
      ['--longest-life', 'x'],
      ['--address', '10.0.0.0/99'],
      ['--scope', 'team:read', '--all-scopes'],
    ])
      assert.equal((await run(...policy, ...wrong)).code, 2, wrong.join(' '))
    const shown = await run(...policy, '--longest-life', 'none', '--all-scopes', '--any-address')
    assert.match(shown.stdout, /longest life +any\nscopes +team:read .*\naddresses +any\n/)
  })
})
