import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { endsSoon, type UserId } from '@meadow/contract'
import { setMember } from '../../access/members.ts'
import { createToken, type NewToken, replaceToken, revokeToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TokenTable } from '../../platform/database/tables.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { mailVariables, startSmtpServer } from '../../testing/smtp-server.ts'
import { startServer } from '../../testing/start-server.ts'
import { startWebApp, type WebApp } from '../../testing/start-web-app.ts'
import { startWithMail } from '../../testing/start-with-mail.ts'
import { deleteTeam } from '../deletion/team-deletion.ts'
import { announceEnds } from './token-ends.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2040, 0, 10, 12)
/** 11 January 2040 at 12:00 UTC. */
const SOON = NOW + DAY_MS

type Row = Partial<Pick<TokenTable, 'expires_at' | 'created_at' | 'last_used_at' | 'last_used_from'>>

/** Makes tokens, by default of nobody, which were made long before `NOW` and end a day after it. */
const createGiver =
  ({ database, team: own }: Pick<WebApp, 'database' | 'team'>) =>
  async (
    name: string,
    { team = own, row = {}, ...token }: Partial<NewToken> & { team?: WebApp['team']; row?: Row },
  ) => {
    const made = await changeTeam(database, team.key, (change) =>
      createToken(change, { name, secret: createTokenSecret(), scopes: ['team:read'], ...token }),
    )
    await database.transaction((write) =>
      write
        .updateTable('token')
        .set({ created_at: NOW - 83 * DAY_MS, expires_at: SOON, ...row })
        .where('public_id', '=', made.id)
        .execute(),
    )
    return made.id
  }

async function startAnnounced(t: TestContext, kind: TestDatabase) {
  const app = await startWithMail(t, kind)
  const give = createGiver(app)
  /** The mails about ends of one run, by recipient. */
  const announce = async (now = NOW) => {
    await app.newMails()
    await announceEnds(app.database, now)
    return (await app.newMails()).sort((a, b) => (a.recipients[0]! < b.recipients[0]! ? -1 : 1))
  }
  return { ...app, give, announce }
}

/** The names of the tokens whose ends were announced. */
const listMarked = async ({ read }: Database) => {
  const rows = await read.selectFrom('token').where('notice_sent_at', 'is not', null).select('name').execute()
  return rows.map(({ name }) => name).sort()
}

const unconfirm = (database: Database, id: UserId, emailVerified: 0 | 1 = 0) =>
  database.transaction((write) =>
    write.updateTable('user').set({ emailVerified }).where('id', '=', id).execute(),
  )

for (const kind of FEATURE_DATABASES) {
  // They wait for what is sent, most of the time.
  describe(`ends of API tokens on ${kind.name}`, { ...kind.options, concurrency: 3 }, () => {
    test('[TOK-13] given personal and service tokens of two teams that end soon, when their ends are announced, then each creator and each owner gets one mail about theirs, with what is needed to replace them', async (t) => {
      const { give, announce, signIn, team, fixtures } = await startAnnounced(t, kind)
      const other = await fixtures.team('Other')
      const ann = await signIn('Ann', 'owner')
      const [ben, cem] = [await signIn('Ben', 'member'), await signIn('Cem', 'owner', other)]
      const row = { last_used_at: Date.UTC(2040, 0, 9, 3, 5), last_used_from: '192.0.2.7' }
      await give('Nightly', { createdBy: ben.userId, row })
      await give('Shared', { createdBy: ben.userId, kind: 'service', row: { expires_at: SOON + 60_000 } })
      await give('Operator', { team: other })
      await give('Own', { team: other, createdBy: ann.userId })
      const mails = await announce()
      assert.deepEqual(
        mails.map(({ recipients, subject }) => [...recipients, subject]),
        [
          [ann.email, '2 API tokens end soon'],
          [ben.email, 'An API token ends soon'],
          [cem.email, 'An API token ends soon'],
        ],
      )
      const [toAnn, toBen, toCem] = mails.map(({ text }) => text!.replaceAll(/\s+/g, ' '))
      assert.ok(
        toBen!.includes(
          'The API token "Nightly" of the team "Acme" ends on 2040-01-11 at 12:00 UTC. It was last used on 2040-01-09 at 03:05 UTC, from 192.0.2.7.',
        ),
        toBen,
      )
      assert.ok(toBen!.includes(`http://meadow.example.org/teams/${team.id}/settings/tokens`), toBen)
      assert.ok(
        toAnn!.includes(
          'The service token "Shared" of the team "Acme" ends on 2040-01-11 at 12:01 UTC. It was never used.',
        ),
        toAnn,
      )
      assert.ok(toAnn!.indexOf('"Own"') < toAnn!.indexOf('"Shared"'), toAnn)
      assert.ok(!toAnn!.includes('Nightly') && !toAnn!.includes('/settings/tokens'), toAnn)
      assert.ok(toCem!.includes('"Operator"') && !toCem!.includes('"Own"'), toCem)
    })

    test('[TOK-13] given tokens that were ended or replaced, have no end, a later one or a short life, or are of a deleted team, when ends are announced, then none of them is', async (t) => {
      const { give, announce, signIn, database, fixtures, team } = await startAnnounced(t, kind)
      const [ann, gone] = [await signIn('Ann', 'owner'), await fixtures.team('Gone')]
      await changeTeam(database, gone.key, (change) => setMember(change, ann.userId, 'owner'))
      const ofAnn = { createdBy: ann.userId }
      const [revoked, replaced] = [await give('revoked', ofAnn), await give('replaced', ofAnn)]
      const lives: Record<string, Row> = {
        endless: { expires_at: null },
        later: { expires_at: NOW + 8 * DAY_MS },
        over: { expires_at: NOW },
        short: { created_at: NOW - 3 * DAY_MS },
      }
      for (const [name, row] of Object.entries(lives)) await give(name, { ...ofAnn, row })
      await give('of a deleted team', { ...ofAnn, team: gone })
      await changeTeam(database, team.key, async (change) => {
        await revokeToken(change, revoked)
        await replaceToken(change, replaced, 24)
      })
      await database.transaction(async (write) => {
        await write
          .updateTable('token')
          .set({ expires_at: SOON })
          .where('replaced_by', 'is not', null)
          .execute()
        await deleteTeam(database, write, gone.key, NOW)
      })
      assert.deepEqual(await announce(), [])
      assert.deepEqual(await listMarked(database), [])
      const ends = { createdAt: NOW - 83 * DAY_MS, expiresAt: NOW + 8 * DAY_MS }
      assert.deepEqual([endsSoon(ends, NOW), endsSoon(ends, NOW + DAY_MS)], [false, true])
      const [mail, ...others] = await announce(NOW + DAY_MS)
      assert.match(mail!.text!, /"later"/)
      assert.deepEqual([others, await listMarked(database)], [[], ['later']])
    })

    test('[TOK-13] given people without a confirmed address or the factor that their team requires, when ends are announced, then they get no mail, and those tokens are announced later', async (t) => {
      const { give, announce, signIn, database, team } = await startAnnounced(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      await give('Service', {})
      await give('Personal', { createdBy: ben.userId })
      for (const { userId } of [ann, ben]) await unconfirm(database, userId)
      assert.deepEqual(await announce(), [])
      for (const { userId } of [ann, ben]) await unconfirm(database, userId, 1)
      const require = (requires_second_factor: 0 | 1) =>
        database.transaction((write) =>
          write.updateTable('team').set({ requires_second_factor }).where('id', '=', team.key).execute(),
        )
      await require(1)
      const recipients = async () => (await announce()).flatMap(({ recipients }) => recipients)
      assert.deepEqual(await recipients(), [ben.email])
      assert.deepEqual(await listMarked(database), ['Personal'])
      await require(0)
      assert.deepEqual(await recipients(), [ann.email])
    })

    test('[TOK-13, TOK-14] given many tokens of people who share teams, when four processes announce their ends at once, and again, then each person gets one mail, which describes twenty', async (t) => {
      const { give, newMails, signIn, database, fixtures } = await startAnnounced(t, kind)
      const other = await fixtures.team('Other')
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'owner', other)]
      for (let i = 0; i < 23; i++)
        await give(`Token ${i}`, { createdBy: ann.userId, row: { expires_at: SOON + i } })
      // Found after the tokens of Ann and of Ben: it puts both into one group.
      await give('Of Ben', { team: other, createdBy: ben.userId })
      await database.transaction((write) =>
        write
          .insertInto('membership')
          .values({ team_id: other.key, user_id: ann.userId, role: 'owner', created_at: 0 })
          .execute(),
      )
      await give('Shared', { team: other, row: { expires_at: SOON + DAY_MS } })
      await newMails()
      await Promise.all([1, 2, 3, 4].map(() => announceEnds(database, NOW)))
      await announceEnds(database, NOW + 3_600_000)
      const mails = await newMails()
      assert.deepEqual(mails.map(({ recipients, subject }) => [...recipients, subject]).sort(), [
        [ann.email, '24 API tokens end soon'],
        [ben.email, '2 API tokens end soon'],
      ])
      const { text } = mails.find(({ recipients }) => recipients.includes(ann.email))!
      assert.equal(text!.match(/The API token/g)!.length, 20)
      assert.match(text!.replaceAll(/\s+/g, ' '), /4 more end by 2040-01-12 at 12:00 UTC\./)
    })

    test('[TOK-14] given a transaction that is undone before its end, when ends are announced again, then the mail is sent once', async (t) => {
      const { give, announce, signIn, database } = await startAnnounced(t, kind)
      const ann = await signIn('Ann', 'owner')
      await give('Service', {})
      const transaction: Database['transaction'] = (work) =>
        database.transaction(async (write) => {
          await work(write)
          throw new Error('the process is killed')
        })
      await assert.rejects(announceEnds({ ...database, transaction }, NOW), /the process is killed/)
      assert.deepEqual(await listMarked(database), [])
      assert.deepEqual(
        (await announce()).map(({ recipients }) => recipients),
        [[ann.email]],
      )
      assert.deepEqual(await announce(), [])
    })

    test('[TOK-14] given a server without a mail server, when it runs, then nothing is queued or marked; another one that has it announces the ends at its start', async (t) => {
      const app = await startWebApp(t, kind)
      const { database, signIn, dataDir, databaseUrl } = app
      const ann = await signIn('Ann', 'owner')
      const now = Date.now()
      const row = { created_at: now - 30 * DAY_MS, expires_at: now + DAY_MS }
      await createGiver(app)('Service', { row })
      const location = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
      const env = { MEADOW_DATA_DIR: dataDir, ...location }
      await startServer(t, env)
      assert.deepEqual(await listMarked(database), [])
      assert.deepEqual(await database.read.selectFrom('mail').select('id').execute(), [])
      const smtp = await startSmtpServer(t)
      await startServer(t, { ...env, ...mailVariables(smtp) })
      const [mail] = await smtp.received(1)
      assert.deepEqual([mail!.recipients, mail!.subject], [[ann.email], 'An API token ends soon'])
      assert.deepEqual(await listMarked(database), ['Service'])
    })

    test('[TOK-15] given a member and an owner, when tokens are made or replaced in their names, then they get a mail, and nobody for the service token that another person replaces', async (t) => {
      const { signIn, team, newMails, database } = await startAnnounced(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      const path = `/teams/${team.id}/tokens`
      const made = await ben.request('POST', path, { name: 'CI', expiresAt: null })
      assert.equal(made.status, 201)
      const [mail] = await newMails()
      assert.deepEqual([mail!.recipients, mail!.subject], [[ben.email], 'An API token was made in your name'])
      const text = mail!.text!.replaceAll(/\s+/g, ' ')
      assert.ok(
        text.includes('The API token "CI" of the team "Acme" was made in your name. It has no end.'),
        text,
      )
      assert.ok(!mail!.raw.includes(made.json.secret))
      // By the operator.
      await changeTeam(database, team.key, (change) => replaceToken(change, made.json.token.id, 0))
      const service = await ann.request('POST', path, { name: 'Bot', kind: 'service' })
      assert.deepEqual(
        (await newMails()).map(({ recipients }) => recipients[0]),
        [ben.email, ann.email],
      )
      await changeTeam(database, team.key, (change) => replaceToken(change, service.json.token.id, 0))
      assert.deepEqual(await newMails(), [])
    })
  })
}
