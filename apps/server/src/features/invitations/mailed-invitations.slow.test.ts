import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { secretIn, startWithMail } from '../../testing/start-with-mail.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`mailed invitations on ${kind.name}`, kind.options, () => {
    test('[INV-7] given an invitation that is mailed, when its link is opened, then a new account with its address is confirmed, and the owner never sees the link', async (t) => {
      const { signIn, team, open, newMails, database } = await startWithMail(t, kind)
      const ann = await signIn('Ann', 'owner')
      const invite = async (email: string) => {
        const made = await ann.request('POST', `/teams/${team.id}/invitations`, { role: 'member', email })
        assert.deepEqual(
          [made.status, made.json.url, made.json.invitation.email],
          [201, null, email.toLowerCase()],
        )
        return made.json.invitation
      }
      await invite('Ben@Example.org')
      const [mail] = await newMails()
      assert.deepEqual(mail!.recipients, ['ben@example.org'])
      assert.match(mail!.text!, /"Ann" .+ invites you to the team "Acme" in Meadow, as member\./)
      const secret = secretIn(mail!.text, 'invitation')
      const account = { name: 'Ben', email: 'ben@example.org', password: 'correct horse' }
      const offer = await open().request('POST', '/invitations/look', { secret })
      assert.equal(offer.json.email, 'ben@example.org')
      const joined = await open().request('POST', '/invitations/accept', { secret, account })
      assert.deepEqual([joined.status, joined.json.me.isEmailConfirmed], [200, true])
      // Another address than the invited one has to be confirmed.
      await invite('cem@example.org')
      const second = secretIn((await newMails())[0]!.text, 'invitation')
      const typed = { secret: second, account: { ...account, email: 'boss@example.org' } }
      const other = await open().request('POST', '/invitations/accept', typed)
      assert.deepEqual([other.status, other.json.me.isEmailConfirmed], [200, false])
      const [asked] = await newMails()
      assert.deepEqual([asked!.recipients, asked!.subject], [['boss@example.org'], 'Confirm your address'])
      // A person with an account of that address.
      const dan = await signIn('Dan')
      await database.transaction((write) =>
        write.updateTable('user').set({ emailVerified: 0 }).where('id', '=', dan.userId).execute(),
      )
      await invite(dan.email)
      const third = secretIn((await newMails())[0]!.text, 'invitation')
      const accepted = await dan.request('POST', '/invitations/accept', { secret: third })
      assert.deepEqual([accepted.status, accepted.json.me.isEmailConfirmed], [200, true])
    })

    test('[INV-8] given an invitation that is withdrawn before it is mailed, and more than a team may mail, then the first is not mailed, and the others are rejected for a while', async (t) => {
      const { signIn, team, smtp, newMails, database } = await startWithMail(t, kind)
      const ann = await signIn('Ann', 'owner')
      const path = `/teams/${team.id}/invitations`
      const { json } = await ann.request('POST', path, { role: 'viewer', email: 'ben@example.org' })
      const [first] = await newMails()
      await ann.request('DELETE', `${path}/${json.invitation.id}`)
      await database.transaction((write) =>
        write.updateTable('mail').set({ state: 'waiting', next_at: 0 }).execute(),
      )
      assert.deepEqual(await newMails(), [])
      assert.equal(smtp.mails.length, 1)
      assert.equal(first!.subject, 'You are invited to a team')
      const statuses = []
      for (let i = 0; i < 50; i++)
        statuses.push(
          (await ann.request('POST', path, { role: 'viewer', email: `x${i}@example.org` })).status,
        )
      assert.deepEqual(statuses, [...Array(49).fill(201), 429])
      assert.equal((await ann.request('POST', path, { role: 'viewer', email: 'nobody' })).status, 400)
      assert.equal((await ann.request('POST', path, { role: 'viewer' })).status, 201)
    })
  })
}
