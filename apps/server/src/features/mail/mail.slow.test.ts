import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createUserStore } from '../../access/users.store.ts'
import { readMailServer } from '../../config/mail.ts'
import { readConfig } from '../../config.ts'
import type { Database } from '../../platform/database/database.ts'
import { createLog } from '../../platform/log.ts'
import { queueLinkMail, queueMail, queueNotice, quoteName } from '../../platform/mail/outbox.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { DATABASES } from '../../testing/databases.ts'
import { startFaultProxy } from '../../testing/fault-proxy.ts'
import { mailVariables, startSmtpServer } from '../../testing/smtp-server.ts'
import { until } from '../../testing/until.ts'
import { type SenderTimes, startMailSender } from './mail-sender.ts'
import { createOutboxStore } from './outbox.store.ts'
import { openSmtp } from './smtp.ts'

const SILENT = createLog('silent')
const QUICK = { pollMs: 5, outageMs: [5], retryMs: [5] }

/** Sends the mails of the database until the test is over. */
function startSender(
  t: TestContext,
  database: Database,
  smtp: { url: string },
  {
    times = QUICK,
    log = SILENT,
  }: { times?: Partial<SenderTimes>; log?: Pick<typeof SILENT, 'info' | 'warn' | 'error'> } = {},
) {
  const { mail: server, baseUrl } = readConfig(mailVariables(smtp))
  const sender = startMailSender({ database, server, baseUrl, isAssigned: async () => true, log }, times)
  atEnd(t, () => sender[Symbol.asyncDispose]())
  return sender
}

const queue = (database: Database, subject: string, to = 'ann@example.org') =>
  database.transaction((write) => queueMail(write, { to, subject, paragraphs: [`This is ${subject}.`] }))

const stateOf = async (database: Database, subject: string) =>
  (await createOutboxStore(database).list({ limit: 100 })).find((mail) => mail.subject === subject)

for (const kind of DATABASES) {
  describe(`mail on ${kind.name}`, kind.options, () => {
    test('[MAIL-1, MAIL-7] given two changes that queue a mail, when one is rolled back, then only the mail of the other is sent, and its text is deleted', async (t) => {
      const [database, smtp] = [await kind.open(t), await startSmtpServer(t)]
      await assert.rejects(
        database.transaction(async (write) => {
          await queueMail(write, { to: 'ann@example.org', subject: 'Undone', paragraphs: ['No.'] })
          throw new Error('rolled back')
        }),
        /rolled back/,
      )
      await database.transaction((write) =>
        queueMail(write, {
          to: 'ann@example.org',
          subject: 'Done',
          paragraphs: ['It happened.'],
          link: { label: 'Look at it', path: '/account' },
        }),
      )
      startSender(t, database, smtp)
      const [mail] = await smtp.received(1)
      assert.deepEqual([mail!.subject, mail!.recipients], ['Done', ['ann@example.org']])
      assert.equal(mail!.from!.address, 'meadow@example.org')
      assert.match(mail!.text!, /It happened\.\s+Look at it:\s+https:\/\/meadow\.example\.org\/account/)
      const sent = await until('it is settled', async () => {
        const found = await stateOf(database, 'Done')
        return found?.state === 'sent' && found
      })
      assert.equal(sent.attempts, 1)
      const { body } = await database.read.selectFrom('mail').select('body').executeTakeFirstOrThrow()
      assert.equal(body, null)
      assert.equal(smtp.mails.length, 1)
      const store = createOutboxStore(database)
      await store.deleteOlder(sent.endedAt!)
      assert.equal((await store.list({ limit: 9 })).length, 1)
      await store.deleteOlder(sent.endedAt! + 1)
      assert.deepEqual(await store.list({ limit: 9 }), [])
    })

    test('[MAIL-2] given many mails and three senders, when all send at once, then each mail is sent once', async (t) => {
      const [database, smtp] = [await kind.open(t), await startSmtpServer(t)]
      const subjects = Array.from({ length: 40 }, (_, i) => `Mail ${i}`)
      for (const subject of subjects) await queue(database, subject)
      for (let i = 0; i < 3; i++) startSender(t, database, smtp)
      await until('all are sent', async () => {
        const { waiting } = await createOutboxStore(database).measure()
        return waiting === 0
      })
      assert.deepEqual(smtp.mails.map(({ subject }) => subject).sort(), subjects.sort())
    })

    test('[MAIL-2] given a process that was killed while it sent a mail, when its lease has expired, then another sends it under the same id', async (t) => {
      const [database, smtp] = [await kind.open(t), await startSmtpServer(t)]
      await queue(database, 'Twice')
      const store = createOutboxStore(database)
      // The process is gone after it has sent the mail: nothing says so.
      const killed = await store.claim(async () => {})
      assert.equal(await store.claim(async () => {}), undefined)
      startSender(t, database, smtp)
      await queue(database, 'Another')
      assert.equal((await smtp.received(1))[0]!.subject, 'Another')
      await database.transaction((write) =>
        write.updateTable('mail').set({ lease_until: 1 }).where('id', '=', killed!.mail.key).execute(),
      )
      const [, again] = await smtp.received(2)
      assert.match(again!.messageId!, new RegExp(`^<\\w+\\.${killed!.mail.key}@example\\.org>$`))
      assert.equal((await stateOf(database, 'Twice'))!.attempts, 2)
      // What the first process would say now is not heard.
      await until('it is settled', async () => (await stateOf(database, 'Twice'))!.state === 'sent')
      await store.settle(killed!.mail, { state: 'failed', reason: 'late' })
      assert.equal((await stateOf(database, 'Twice'))!.state, 'sent')
    })

    test('[MAIL-3] given a mail server that cannot be reached, when it is back, then everything is sent', async (t) => {
      const [database, smtp] = [await kind.open(t), await startSmtpServer(t)]
      const proxy = await startFaultProxy(t, smtp.url)
      proxy.refuse()
      const { log, lines } = createCapturedLog()
      for (const subject of ['One', 'Two', 'Three']) await queue(database, subject)
      startSender(t, database, proxy, { log })
      const tried = await until('it was tried', async () => {
        const found = await stateOf(database, 'One')
        return found?.reason ? found : undefined
      })
      assert.deepEqual([tried.state, tried.reason], ['waiting', 'nothing answers at that address'])
      await proxy.resume()
      const mails = await smtp.received(3)
      assert.deepEqual(mails.map(({ subject }) => subject).sort(), ['One', 'Three', 'Two'])
      await until('it is logged', async () => lines.find(({ msg }) => msg === 'mails are sent again'))
    })

    test('[MAIL-3] given mails that the server puts off and rejects, when they are sent, then the first is sent later, the second is given up, and others do not wait', async (t) => {
      const database = await kind.open(t)
      let putOff = 2
      const refuse = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
      const smtp = await startSmtpServer(t, {
        onRcptTo({ address }, _, done) {
          if (address === 'nobody@example.org') done(refuse(550, 'No such mailbox'))
          else if (address === 'busy@example.org' && putOff-- > 0) done(refuse(451, 'Try again later'))
          else done()
        },
      })
      await queue(database, 'Rejected', 'nobody@example.org')
      await queue(database, 'Put off', 'busy@example.org')
      await queue(database, 'Fine')
      startSender(t, database, smtp, { times: { ...QUICK, retryMs: [50] } })
      const mails = await smtp.received(2)
      assert.deepEqual(
        mails.map(({ subject }) => subject),
        ['Fine', 'Put off'],
      )
      const rejected = (await stateOf(database, 'Rejected'))!
      assert.deepEqual([rejected.state, rejected.attempts], ['failed', 1])
      assert.match(rejected.reason!, /^the mail server answered: 550 .*No such mailbox/)
      assert.equal((await stateOf(database, 'Put off'))!.attempts, 3)
    })

    test('[MAIL-3] given a mail that could not be sent for days, when it is its turn, then it is given up', async (t) => {
      const [database, smtp] = [await kind.open(t), await startSmtpServer(t)]
      await queue(database, 'Late')
      await database.transaction((write) =>
        write.updateTable('mail').set({ expires_at: Date.now() }).execute(),
      )
      startSender(t, database, smtp)
      const late = await until('it is given up', async () => {
        const found = await stateOf(database, 'Late')
        return found?.state === 'failed' && found
      })
      assert.equal(late.reason, 'It could not be sent in time.')
      assert.equal(smtp.mails.length, 0)
    })

    test('[MAIL-5] given a mail with a link, when it waits, is sent, and is sent again, then neither its secret nor its text is stored, and the secret is behind the # of the link', async (t) => {
      const [database, smtp] = [await kind.open(t), await startSmtpServer(t)]
      const users = createUserStore(database)
      const { email } = await users.createUser({ name: 'Ann', email: 'ann@example.org' })
      await database.transaction((write) =>
        queueLinkMail(write, { kind: 'reset', to: email, about: null, expiresAt: Date.now() + 60_000 }),
      )
      const stored = async () =>
        JSON.stringify([
          await database.read.selectFrom('mail').selectAll().execute(),
          await database.read.selectFrom('one_time_link').selectAll().execute(),
        ])
      assert.ok(!(await stored()).includes('reset-password'))
      startSender(t, database, smtp)
      const [mail] = await smtp.received(1)
      const secret = /https:\/\/meadow\.example\.org\/reset-password#(\w+)/.exec(mail!.text!)![1]!
      assert.ok(mail!.html!.includes(`/reset-password#${secret}`))
      assert.ok(!(await stored()).includes(secret))
      // Its sender was killed before it said that the mail was sent: both links work.
      await until('it is settled', async () => (await createOutboxStore(database).measure()).waiting === 0)
      await database.transaction((write) => write.updateTable('mail').set({ state: 'waiting' }).execute())
      const [, again] = await smtp.received(2)
      assert.equal(again!.messageId, mail!.messageId)
      assert.ok(!again!.text!.includes(secret))
      const links = await database.read.selectFrom('one_time_link').select('hash').execute()
      assert.equal(links.length, 2)
    })

    test('[MAIL-8] given users with and without a confirmed address, when both get a notice, then only the confirmed address gets a mail', async (t) => {
      const [database, smtp] = [await kind.open(t), await startSmtpServer(t)]
      const users = createUserStore(database)
      const [ann, eve] = [
        await users.createUser({ name: 'Ann', email: 'ann@example.org' }),
        await users.createUser({ name: 'Eve', email: 'boss@example.org' }),
      ]
      await database.transaction(async (write) => {
        await write.updateTable('user').set({ emailVerified: 0 }).where('id', '=', eve.id).execute()
        for (const { id } of [eve, ann])
          await queueNotice(write, id, { subject: 'Your password was changed', paragraphs: ['Just now.'] })
      })
      startSender(t, database, smtp)
      const mails = await smtp.received(1)
      assert.deepEqual(mails[0]!.recipients, ['ann@example.org'])
      assert.equal((await createOutboxStore(database).list({ limit: 9 })).length, 1)
    })
  })
}

test('[MAIL-4] given names with line breaks, markup and addresses, when they are in a mail, then it has no further header, recipient, markup or link', async (t) => {
  const [database, smtp] = [await DATABASES[0]!.open(t), await startSmtpServer(t)]
  const name = 'A\r\nBcc: eve@example.org\r\n\r\n<b>"http://evil.example"\u202e<img src=//e.example>'
  await database.transaction((write) =>
    queueMail(write, {
      to: 'ann@example.org',
      subject: `You are in ${name}`,
      paragraphs: [`You are in ${quoteName(name)}.`],
      link: { label: `Open <b>`, path: '/' },
    }),
  )
  startSender(t, database, smtp)
  const [mail] = await smtp.received(1)
  assert.deepEqual(mail!.recipients, ['ann@example.org'])
  assert.deepEqual([mail!.to!.map(({ address }) => address), mail!.bcc ?? []], [['ann@example.org'], []])
  assert.ok(!mail!.headers.some(({ key }) => key === 'bcc'))
  assert.equal(
    mail!.subject,
    'You are in A Bcc: eve@example.org <b>"http://evil.example" <img src=//e.example>',
  )
  assert.ok(!/<(script|img|b)\b/i.test(mail!.html!), mail!.html)
  assert.deepEqual(
    [...mail!.html!.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url),
    ['https://meadow.example.org/'],
  )
  assert.ok(!/evil\.example|[\p{Cc}--[\n]]|\u202e/v.test(mail!.text!), JSON.stringify(mail!.text))
  assert.match(mail!.text!, /evil\.\u2060example/)
  const header = (key: string) => mail!.headers.find((one) => one.key === key)?.value
  assert.equal(header('auto-submitted'), 'auto-generated')
  for (const key of ['disposition-notification-to', 'return-receipt-to']) assert.equal(header(key), undefined)
  assert.deepEqual(mail!.attachments, [])
})

test('[MAIL-6] given servers without encryption or without a certificate that holds, when a mail is sent, then they get neither password nor mail', async (t) => {
  const seen: string[] = []
  const options = {
    onAuth: (_auth: unknown, _session: unknown, done: (error: Error) => void) => {
      seen.push('password')
      done(new Error('no'))
    },
    onMailFrom: (_address: unknown, _session: unknown, done: () => void) => {
      seen.push('mail')
      done()
    },
  }
  const plain = await startSmtpServer(t, { ...options, allowInsecureAuth: true })
  const self = await startSmtpServer(t, { ...options, disabledCommands: [], allowInsecureAuth: true })
  const tls = await startSmtpServer(t, { ...options, secure: true })
  const server = (url: string, change: object = {}) => {
    const login = url.replace('://', '://ann:secret@')
    const { mail } = readConfig({ ...mailVariables({ url: login }) })
    return { ...mail!, ...change }
  }
  for (const [name, one] of [
    ['without STARTTLS', server(plain.url, { requiresTls: true })],
    ['with a certificate of its own', server(self.url)],
    ['with a certificate of its own', server(tls.url.replace('smtp:', 'smtps:'))],
  ] as const) {
    const smtp = await openSmtp(one)
    atEnd(t, async () => smtp.close())
    const message = { to: 'ann@example.org', subject: 'x', text: 'x', html: 'x', id: '1' }
    for (const attempt of [smtp.verify(), smtp.send(message)])
      await assert.rejects(attempt, { name: 'Error', kind: 'outage' }, name)
  }
  assert.deepEqual(seen, [])
})

test('[MAIL-6] given addresses of mail servers, when they are read, then encryption is required everywhere but on this machine and where the operator says so', () => {
  const read = (url: string) => {
    const { mail } = readConfig(mailVariables({ url }))
    return [mail!.host, mail!.port, mail!.isSecure, mail!.requiresTls]
  }
  assert.deepEqual(read('smtp://mail.example.org'), ['mail.example.org', 587, false, true])
  assert.deepEqual(read('smtps://mail.example.org'), ['mail.example.org', 465, true, false])
  assert.deepEqual(read('smtp://mailpit:1025?starttls=optional'), ['mailpit', 1025, false, false])
  assert.deepEqual(read('smtp://[::1]:25'), ['::1', 25, false, false])
  const { mail } = readConfig(mailVariables({ url: 'smtps://ann%40example.org:p%3Aw%25@mail.example.org' }))
  assert.deepEqual(mail!.login, { user: 'ann@example.org', pass: 'p:w%' })
  for (const url of [
    'http://mail.example.org',
    'smtp://ann@mail.example.org',
    'smtp://mail.example.org?requireTLS=false',
    'smtp://mail.example.org/x',
    'smtp://a:%FF@mail.example.org',
  ])
    assert.throws(() => read(url), /MEADOW_SMTP_URL must be an address such as/, url)
  const from = (MEADOW_MAIL_FROM: string) =>
    readConfig({ ...mailVariables({ url: 'smtp://localhost' }), MEADOW_MAIL_FROM }).mail!.from
  assert.deepEqual(from('a@example.org'), { name: 'Meadow', address: 'a@example.org' })
  assert.deepEqual(from('The team <a@example.org>'), { name: 'The team', address: 'a@example.org' })
  for (const text of ['nobody', 'a@b@c', 'A\nB <a@example.org>', 'a@example.org, b@example.org'])
    assert.throws(() => from(text), /MEADOW_MAIL_FROM must be an e-mail address/, text)
  const mistakes: string[] = []
  const none = { MEADOW_SMTP_URL: undefined, MEADOW_MAIL_FROM: undefined, MEADOW_BASE_URL: undefined }
  assert.equal(readMailServer(none, mistakes), undefined)
  assert.deepEqual(mistakes, [])
  assert.throws(() => readConfig({ MEADOW_SMTP_URL: 'smtp://localhost' }), {
    message:
      'The configuration is not usable.\nMEADOW_MAIL_FROM must be set, since MEADOW_SMTP_URL is.\n' +
      'MEADOW_BASE_URL must be set, since MEADOW_SMTP_URL is.',
  })
})

test('[MAIL-2] given a mail that is being sent, when the process stops, then it is sent to its end first', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const [began, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const smtp = await startSmtpServer(t, {
    async onMail() {
      began.resolve()
      await goOn.promise
    },
  })
  await queue(database, 'Slow')
  const sender = startSender(t, database, smtp)
  await began.promise
  const stopped = sender[Symbol.asyncDispose]()
  goOn.resolve()
  await stopped
  assert.deepEqual([(await stateOf(database, 'Slow'))!.state, smtp.mails.length], ['sent', 1])
})
