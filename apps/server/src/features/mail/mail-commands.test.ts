import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '../../platform/database/open-database.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, FEATURE_DATABASES } from '../../testing/databases.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { mailVariables, startSmtpServer } from '../../testing/smtp-server.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'
import { createOutboxStore } from './outbox.store.ts'

const PASSWORD = 'the-mail-password'

test('[MAIL-9] given a mail server, when the operator tries it, then a mail arrives, and a fault is named without the password', async (t) => {
  let isClosed = false
  const smtp = await startSmtpServer(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (isClosed || password !== PASSWORD) done(new Error('Invalid login'))
      else done(null, { user: username! })
    },
  })
  const variables = mailVariables({ url: smtp.url.replace('://', `://meadow:${PASSWORD}@`) })
  const { run, json } = await createCommandLine(t, variables)
  const sent = await json('mail', 'test', 'Ann@Example.org')
  assert.deepEqual([sent.sent, sent.to], [true, 'ann@example.org'])
  assert.deepEqual(smtp.mails[0]!.recipients, ['ann@example.org'])
  await json('team', 'create', 'Acme')
  const findings = async () => {
    const { stdout } = await run('doctor', '--json')
    return JSON.parse(stdout).findings.filter(({ what }: { what: string }) => what === 'mail')
  }
  assert.deepEqual(await findings(), [
    { what: 'mail', state: 'ok', says: 'The mail server accepts the connection and the user.' },
  ])
  isClosed = true
  const failed = await run('mail', 'test', 'ann@example.org')
  assert.equal(failed.code, 1)
  assert.match(
    failed.stderr,
    /was not sent through 127\.0\.0\.1:\d+: the mail server does not accept the user name/,
  )
  const [finding] = await findings()
  assert.equal(finding.state, 'fault')
  assert.ok(!failed.stderr.includes(PASSWORD) && !JSON.stringify(finding).includes(PASSWORD))
})

test('[MAIL-9] given no mail server, when the operator tries it, then the variables are named', async (t) => {
  const { run, json } = await createCommandLine(t)
  const { code, stderr } = await run('mail', 'test', 'ann@example.org')
  assert.equal(code, 1)
  assert.match(stderr, /No mail server is set: MEADOW_SMTP_URL and MEADOW_MAIL_FROM/)
  await json('team', 'create', 'Acme')
  const { stdout } = await run('doctor', '--json')
  assert.match(stdout, /MEADOW_SMTP_URL is not set: no mails are sent/)
})

for (const kind of FEATURE_DATABASES) {
  describe(`a service with mail on ${kind.name}`, kind.options, () => {
    test('[MAIL-1, MAIL-9] given two servers on one database, when a mail is queued, then one sends it, and metrics and the list of mails show it', async (t) => {
      const smtp = await startSmtpServer(t)
      const location = await kind.createLocation(t)
      const env = {
        ...mailVariables(smtp),
        MEADOW_SESSION_SECRET: 'the-secret-of-both-servers-0123456789',
        ...(location.databaseUrl && { DATABASE_URL: location.databaseUrl }),
      }
      const one = await startServer(t, env)
      // Files are in one place; SQLite takes one server here.
      if (location.databaseUrl) await startServer(t, { ...env, MEADOW_DATA_DIR: one.dataDir })
      await one.database.transaction((write) =>
        queueMail(write, { to: 'ann@example.org', subject: 'Hello', paragraphs: ['You.'] }),
      )
      assert.equal((await smtp.received(1))[0]!.subject, 'Hello')
      await until(
        'it is settled',
        async () => (await createOutboxStore(one.database).measure()).waiting === 0,
      )
      const { text } = await one.request('/metrics')
      assert.match(text, /^meadow_mail_waiting 0$/m)
      assert.match(text, /^meadow_mail_oldest_seconds 0$/m)
      const { json, run } = await createCommandLine(t, { MEADOW_DATA_DIR: one.dataDir, ...env })
      const { mails } = await json('mail', 'list')
      assert.deepEqual(
        mails.map(({ to, subject, state, attempts }: Record<string, unknown>) => [
          to,
          subject,
          state,
          attempts,
        ]),
        [['ann@example.org', 'Hello', 'sent', 1]],
      )
      assert.deepEqual((await json('mail', 'list', '--failed')).mails, [])
      const { stdout, stderr } = await run('mail', 'list')
      assert.match(stdout, /ann@example\.org +Hello +sent +1/)
      assert.match(stderr, /Mails that wait: 0\./)
    })
  })
}

test('[MAIL-1] given no mail server, when a mail is queued, then it stays, and is deleted after it has expired', async (t) => {
  const { dataDir } = await DATABASES[0]!.createLocation(t)
  const database = await openDatabase({ dataDir })
  const mail = { to: 'ann@example.org', subject: 'Old', paragraphs: [] }
  await database.transaction(async (write) => {
    await queueMail(write, mail)
    await write.updateTable('mail').set({ expires_at: 1 }).execute()
    await queueMail(write, { ...mail, subject: 'New' })
  })
  atEnd(t, () => database.close())
  await startServer(t, { MEADOW_DATA_DIR: dataDir })
  const left = await until('the old one is gone', async () => {
    const mails = await createOutboxStore(database).list({ limit: 9 })
    return mails.length === 1 && mails
  })
  assert.deepEqual([left[0]!.subject, left[0]!.state], ['New', 'waiting'])
})
