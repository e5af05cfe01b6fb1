import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addInvitation, setMember } from '../../access/members.ts'
import { createInvitationSecret } from '../../access/one-time-links.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { givenActor } from '../../testing/given-actor.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { createInvitationStore } from './invitations.store.ts'

const ACCOUNT = { name: 'Ben', email: 'Ben@Example.org', password: 'correct horse' }

for (const kind of FEATURE_DATABASES) {
  describe(`invitations on ${kind.name}`, kind.options, () => {
    test('[INV-1, INV-2, INV-6] given an invitation, when a person without an account accepts it, then they are in the team and signed in, and their address is unconfirmed', async (t) => {
      const { signIn, team, open, database, address } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const { status, json } = await ann.request('POST', `/teams/${team.id}/invitations`, {
        role: 'member',
        note: 'For Ben',
      })
      assert.equal(status, 201)
      const [page, secret] = json.url.split('#')
      assert.equal(page, `${address}/invitation`)
      const rows = await database.read.selectFrom('invitation').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(secret))
      const listed = (await ann.get(`/teams/${team.id}/invitations`)).json.invitations
      assert.deepEqual(listed, [json.invitation])
      assert.deepEqual(
        [listed[0].role, listed[0].note, listed[0].createdBy.name],
        ['member', 'For Ben', 'Ann'],
      )

      const ben = open()
      const offer = (await ben.request('POST', '/invitations/look', { secret })).json
      assert.deepEqual(offer, {
        teamName: 'Acme',
        role: 'member',
        email: null,
        expiresAt: listed[0].expiresAt,
      })
      const accepted = await ben.request('POST', '/invitations/accept', { secret, account: ACCOUNT })
      assert.equal(accepted.status, 200, accepted.text)
      assert.equal(accepted.json.teamId, team.id)
      assert.deepEqual(accepted.json.me.person.email, 'ben@example.org')
      const me = (await ben.get('/me')).json
      assert.deepEqual([me.person.name, me.hasPassword, me.teams[0].role], ['Ben', true, 'member'])
      const { members } = (await ann.get(`/teams/${team.id}/members`)).json
      const joined = members.find(({ name }: { name: string }) => name === ACCOUNT.name)
      assert.equal(joined.isEmailConfirmed, false)
      const signed = await open().request('POST', '/sign-in', {
        email: ACCOUNT.email,
        password: ACCOUNT.password,
      })
      assert.equal(signed.status, 200)
      for (const path of ['look', 'accept']) {
        const again = await open().request('POST', `/invitations/${path}`, {
          secret,
          account: { ...ACCOUNT, email: 'x@y.org' },
        })
        assert.equal(again.status, 410, path)
      }
    })

    test('[INV-2, INV-4] given a person with an account, when they accept, then they join with it; a second time, or with a taken address, the invitation is not used up', async (t) => {
      const { signIn, team, open } = await startWebApp(t, kind)
      const [ann, cem] = [await signIn('Ann', 'owner'), await signIn('Cem')]
      const invite = async () =>
        (await ann.request('POST', `/teams/${team.id}/invitations`, { role: 'viewer' })).json.url.split(
          '#',
        )[1]
      const secret = await invite()
      assert.equal((await open().request('POST', '/invitations/accept', { secret })).status, 401)
      const taken = await open().request('POST', '/invitations/accept', {
        secret,
        account: { ...ACCOUNT, email: cem.email.toUpperCase() },
      })
      assert.equal(taken.status, 409)
      for (const [account, status] of [
        [{ ...ACCOUNT, email: 'nobody' }, 400],
        [{ ...ACCOUNT, password: 'short' }, 400],
        [{ ...ACCOUNT, name: ' ' }, 400],
      ] as const) {
        assert.equal(
          (await open().request('POST', '/invitations/accept', { secret, account })).status,
          status,
        )
      }
      assert.equal((await cem.request('POST', '/invitations/accept', { secret })).status, 200)
      assert.deepEqual((await cem.get('/me')).json.teams[0].role, 'viewer')
      const other = await invite()
      assert.equal((await cem.request('POST', '/invitations/accept', { secret: other })).status, 409)
      assert.equal((await open().request('POST', '/invitations/look', { secret: other })).status, 200)
    })

    test('[INV-3] given one invitation, when five people accept it concurrently, then one joins', async (t) => {
      const { signIn, team } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const { url } = (await ann.request('POST', `/teams/${team.id}/invitations`, { role: 'member' })).json
      const secret = url.split('#')[1]
      const five = await Promise.all(Array.from({ length: 5 }, (_, i) => signIn(`P${i}`)))
      const responses = await Promise.all(
        five.map((who) => who.request('POST', '/invitations/accept', { secret })),
      )
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 410, 410, 410, 410])
      assert.equal((await ann.get(`/teams/${team.id}/members`)).json.members.length, 2)
    })

    test('[INV-3] given invitations that were withdrawn, that expired, or whose creator is no longer an owner, then none works', async (t) => {
      const { signIn, team, open, database } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'owner')]
      const invite = async (who = ann) => {
        const { json } = await who.request('POST', `/teams/${team.id}/invitations`, { role: 'owner' })
        return { id: json.invitation.id, secret: json.url.split('#')[1] }
      }
      const [withdrawn, expired, orphan] = [await invite(), await invite(), await invite(ben)]
      const path = `/teams/${team.id}/invitations/${withdrawn.id}`
      assert.deepEqual(
        [(await ann.request('DELETE', path)).status, (await ann.request('DELETE', path)).status],
        [204, 404],
      )
      await database.transaction((write) =>
        write
          .updateTable('invitation')
          .set({ expires_at: Date.now() })
          .where('public_id', '=', expired.id)
          .execute(),
      )
      await changeTeam(database, team.key, (change) => setMember(change, ben.userId, 'member'))
      for (const { secret } of [withdrawn, expired, orphan]) {
        assert.equal((await open().request('POST', '/invitations/look', { secret })).status, 410)
        assert.equal(
          (await open().request('POST', '/invitations/accept', { secret, account: ACCOUNT })).status,
          410,
        )
      }
      assert.deepEqual((await ann.get(`/teams/${team.id}/invitations`)).json.invitations, [])
    })

    test('[INV-1, INV-3] given several invitations, when one is read or accepted, then it is that one, and the others stay; an invented secret is none of them', async (t) => {
      const { signIn, team, open } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const secrets = new Map<string, string>()
      for (const role of ['viewer', 'member', 'owner']) {
        const body = { role, note: ` For\u202e a\n${role} ` }
        const { json } = await ann.request('POST', `/teams/${team.id}/invitations`, body)
        assert.equal(json.invitation.note, `For a ${role}`)
        secrets.set(role, json.url.split('#')[1])
      }
      const look = (secret: string) => open().request('POST', '/invitations/look', { secret })
      for (const [role, secret] of secrets) assert.equal((await look(secret)).json.role, role)
      const madeUp = createInvitationSecret()
      assert.equal((await look(madeUp)).status, 410)
      const account = { ...ACCOUNT, email: 'made@example.org' }
      assert.equal(
        (await open().request('POST', '/invitations/accept', { secret: madeUp, account })).status,
        410,
      )
      await open().request('POST', '/invitations/accept', {
        secret: secrets.get('member')!,
        account: ACCOUNT,
      })
      const { members } = (await ann.get(`/teams/${team.id}/members`)).json
      assert.deepEqual(
        members.map(({ role }: { role: string }) => role),
        ['owner', 'member'],
      )
      const statuses = [...secrets.values()].map(async (secret) => (await look(secret)).status)
      assert.deepEqual(await Promise.all(statuses), [200, 410, 200])
    })

    test('[INV-3] given an invitation, when it expires, then it can no longer be read, nor accepted by a person who read it before', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database)
      const [ann, ben] = [
        await givenActor(database, team, { name: 'ann', role: 'owner' }),
        await givenActor(database, team, { name: 'ben', role: null }),
      ]
      const secret = createInvitationSecret()
      const expiresAt = Date.UTC(2026, 10, 22)
      await changeTeam(database, team, (change) =>
        addInvitation(change, {
          role: 'member',
          note: '',
          secret,
          createdBy: ann.user,
          createdAt: expiresAt - 1,
          expiresAt,
        }),
      )
      const times: number[] = []
      const store = createInvitationStore(database, () => times.shift() ?? expiresAt)
      assert.equal(await store.find(secret), undefined)
      times.push(expiresAt - 1)
      assert.equal((await store.find(secret))?.role, 'member')
      // It exists when it is looked up, and expires before it is accepted.
      times.push(expiresAt - 1)
      const by = { userId: ben.user, name: 'ben', email: 'ben@example.org' }
      assert.deepEqual(await store.accept(secret, by), { error: 'invitation_not_valid' })
      times.push(expiresAt - 1, expiresAt - 1)
      assert.ok('teamId' in (await store.accept(secret, by)))
    })
  })
}

test('[INV-5] given a hundred attempts with wrong secrets, when another one follows, then it is rejected for a while', async (t) => {
  const { open } = await startWebApp(t)
  const anonymous = open()
  const statuses = new Set<number>()
  for (let i = 0; i < 101; i++) {
    statuses.add((await anonymous.request('POST', '/invitations/look', { secret: `mdi_${i}` })).status)
  }
  assert.deepEqual([...statuses], [410, 429])
})
