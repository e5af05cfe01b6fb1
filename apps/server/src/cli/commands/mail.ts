import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  printable,
  readWhole,
} from '@meadow/command'
import { readConfig } from '../../config.ts'
import { createOutboxStore, type MailRecord } from '../../features/mail/outbox.store.ts'
import { renderMail } from '../../features/mail/render-mail.ts'
import { openSmtp } from '../../features/mail/smtp.ts'
import { readEmail } from '../arguments.ts'
import { openStorage } from '../storage.ts'

/** `meadow-server mail test` */
export const mailTest: Declaration = {
  name: 'test',
  description:
    'Send a mail to an address at once, with the variables of the service, and say whether it was taken.',
  arguments: { '<address>': { says: 'Where it goes.', read: readEmail } },
  examples: ['meadow-server mail test ann@example.org'],
  run: runMailTest,
}

async function runMailTest({ env, output }: CommandContext, to: string): Promise<void> {
  const { mail: server, baseUrl } = readConfig(env)
  if (!server || baseUrl === undefined) {
    throw new CommandFailure(
      'No mail server is set: MEADOW_SMTP_URL and MEADOW_MAIL_FROM. Give this command the variables of the service.',
    )
  }
  const smtp = await openSmtp(server)
  const place = `${server.host}:${server.port}`
  const content = {
    subject: 'A mail from Meadow to try it',
    paragraphs: ['If you read this, Meadow can send mails. The operator of the service has asked for it.'],
  }
  try {
    await smtp.send({ to, id: `test.${Date.now().toString(36)}`, ...renderMail(content, baseUrl) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`The mail was not sent through ${place}: ${printable(reason)}`, { cause: error })
  } finally {
    smtp.close()
  }
  await output.data({ sent: true, to, server: place }, () => 'sent')
  output.message(`${place} has taken a mail to ${printable(to)}, from ${printable(server.from.address)}.`)
}

const DEFAULT_COUNT = 50

/** `meadow-server mail list` */
export const mailList: Declaration = {
  name: 'list',
  description:
    'List the mails of the last days, the newest first: which wait, which were sent, and what went wrong.',
  options: {
    '--failed': 'Only those that were given up.',
    '--waiting': 'Only those that are not sent yet.',
    '--limit <number>': {
      says: 'At most so many.',
      read: readWhole(1, 10_000),
      default: DEFAULT_COUNT,
    },
  },
  examples: ['meadow-server mail list', 'meadow-server mail list --failed --json'],
  run: runMailList,
}

async function runMailList(
  { env, output }: CommandContext,
  { failed, waiting, limit }: { failed?: true; waiting?: true; limit: number },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const store = createOutboxStore(storage.database)
  const state = failed ? 'failed' : waiting ? 'waiting' : undefined
  const mails = await store.list({ state, limit })
  await output.data(
    { mails: mails.map(showMail) },
    {
      table: {
        columns: ['CREATED', 'TO', 'WHAT', 'STATE', 'ATTEMPTS', 'REASON'],
        rows: mails.map((mail) => [
          new Date(mail.createdAt).toISOString(),
          mail.recipient,
          mail.subject ?? mail.kind,
          mail.state,
          String(mail.attempts),
          mail.reason ?? '',
        ]),
      },
    },
  )
  const { waiting: left } = await store.measure()
  output.message(`Mails that wait: ${formatCount(left)}.`)
}

const toTime = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const showMail = ({ recipient, createdAt, endedAt, ...mail }: MailRecord) => ({
  ...mail,
  to: recipient,
  createdAt: toTime(createdAt),
  endedAt: toTime(endedAt),
})
