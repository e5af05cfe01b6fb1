import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import type { UserId } from '@meadow/contract'
import { PASSWORD_FAULTS } from '@meadow/passwords'
import { setMember } from '../../access/members.ts'
import { hashPassword, hashPermits } from '../../access/password-hashes.ts'
import { setPassword } from '../../access/passwords.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'

/** Of `PASSWORD` and of "password". */
const SCRYPT = {
  good: 'd88af9c914d296e9306855aaa42b3db0:7b880350741be3b1016f23f594b238d3ba14164f1cad9777347f36662c24819d8ae3f2bb7187829ef103265f0e47b15203220716862dffc89535be1633488743',
  guessable:
    'ef1c37efabd6eef0c6256996f46ccd1e:923ee6d93660024240e3a91847034eb52997e2c71e1dfe039af7f7e50a54abc95dd4bbba1b60686065cd8ccd2305a41312d0a8e1f2cfee9b0381c452dff3a966',
}

for (const kind of FEATURE_DATABASES) {
  describe(`stored passwords on ${kind.name}`, kind.options, () => {
    test('[SIGN-51] given hashes of scrypt and of a lower cost, when their owners sign in, then they are replaced by ones of Argon2id, and a wrong password replaces none', async (t) => {
      const { createPerson, open, database } = await startWebApp(t, kind)
      const { id, email } = await createPerson('Ann')
      const readHash = async () => {
        const { password } = await database.read
          .selectFrom('account')
          .where('userId', '=', id as UserId)
          .select('password')
          .executeTakeFirstOrThrow()
        return password!
      }
      const sign = async (password: string) =>
        (await open().request('POST', '/sign-in', { email, password })).status
      // Of "correct horse battery", with 64 KiB and one pass.
      const weak =
        '$argon2id$v=19$m=64,t=1,p=1$c29tZSBzYWx0IDEyMzQ$DFMaPJRuPrv1qZxxRecjyhX4CUEgXPp3g/lpvQzST3I'
      for (const old of [SCRYPT.good, weak]) {
        await database.transaction((write) => setPassword(write, id, old))
        assert.equal(await sign('wrong password'), 401)
        assert.equal(await readHash(), old)
        assert.equal(await sign(PASSWORD), 200)
        const renewed = await readHash()
        assert.match(renewed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
        assert.equal(await sign(PASSWORD), 200)
        assert.equal(await readHash(), renewed)
        assert.equal(await sign('wrong password'), 401)
      }
    })
  })
}

test('[SIGN-50] given a person in a team, when they choose a short, a known and a guessable password, and one of their own data, then each is refused with its reason, in the account and with an invitation', async (t) => {
  const { createPerson, open, database, fixtures, signIn } = await startWebApp(t)
  const team = await fixtures.team('Acme Facades')
  const { id, email } = await createPerson('Ann')
  await changeTeam(database, team.key, (change) => setMember(change, id, 'member'))
  const ann = open()
  await ann.request('POST', '/sign-in', { email, password: PASSWORD })
  const owner = await signIn('Ben', 'owner', team)
  const invited = await owner.request('POST', `/teams/${team.id}/invitations`, { role: 'member' })
  const secret = invited.json.url.split('#')[1]
  const refused = {
    'x9!kQ2#mv': PASSWORD_FAULTS.length,
    password12: PASSWORD_FAULTS.guessable,
    'P@ssw0rd2024!': PASSWORD_FAULTS.guessable,
    [email]: PASSWORD_FAULTS.own_data,
    'Acme-Facades-1': PASSWORD_FAULTS.own_data,
    meadowmeadow: PASSWORD_FAULTS.own_data,
  }
  for (const [password, error] of Object.entries(refused)) {
    const changed = await ann.request('POST', '/me/password', { current: PASSWORD, next: password })
    assert.deepEqual([changed.status, changed.json], [400, { error }], password)
    const account = { name: 'Ann', email, password }
    const accepted = await open().request('POST', '/invitations/accept', { secret, account })
    assert.deepEqual([accepted.status, accepted.json], [400, { error }], password)
  }
  const next = 'seventy herons in a field'
  assert.equal((await ann.request('POST', '/me/password', { current: PASSWORD, next })).status, 204)
})

test('[SIGN-50] given a password that the rule would refuse today, when its owner signs in, then it is accepted', async (t) => {
  const { createPerson, open, database } = await startWebApp(t)
  const { id, email } = await createPerson('Ann')
  await database.transaction((write) => setPassword(write, id, SCRYPT.guessable))
  assert.equal((await open().request('POST', '/sign-in', { email, password: 'password' })).status, 200)
})

test('[SIGN-52] given a wrong password, an unknown address and a person without a password, when they are tried, then each takes one hash', async (t) => {
  const { createPerson, open, signIn } = await startWebApp(t)
  const [{ email: known }, { email: without }] = [await createPerson('Ann'), await signIn('Ben')]
  const acquire = mock.method(hashPermits, 'acquire')
  t.after(() => acquire.mock.restore())
  for (const email of [known, without, 'nobody@example.org']) {
    const before = acquire.mock.callCount()
    const { status } = await open().request('POST', '/sign-in', { email, password: 'wrong password' })
    assert.equal(status, 401)
    assert.equal(acquire.mock.callCount() - before, 1, email)
  }
})

test('[SIGN-53] given many sign-ins at once, when they are checked, then two hashes are computed at a time, and more than may wait get 503', async (t) => {
  const { createPerson, open } = await startWebApp(t)
  const { email } = await createPerson('Ann')
  const sign = () => open().request('POST', '/sign-in', { email, password: PASSWORD })
  const computed = Array.from({ length: 5 }, () => hashPassword(PASSWORD))
  assert.deepEqual([hashPermits.held, hashPermits.waiting], [2, 3])
  await Promise.all(computed)
  const held = [await hashPermits.acquire([]), await hashPermits.acquire([])]
  const end = new AbortController()
  const waiting = Array.from({ length: 200 }, () => hashPermits.acquire([], { signal: end.signal }))
  const rejected = await sign()
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [503, '5'])
  end.abort(new Error('enough'))
  await Promise.allSettled(waiting)
  for (const permit of held) permit.release()
  assert.equal((await sign()).status, 200)
})
