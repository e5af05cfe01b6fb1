import { Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from '../../config/kinds.ts'
import { readConfig } from '../../config.ts'
import { createOutboxStore, type MailRecord } from '../../features/mail/outbox.store.ts'
import { renderMail } from '../../features/mail/render-mail.ts'
import { openSmtp } from '../../features/mail/smtp.ts'
import { readEmail } from '../arguments.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure } from '../failure.ts'
import { examples } from '../help.ts'
import { formatCount, formatTable, printable } from '../output/format.ts'
import { openStorage } from '../storage.ts'

/** `meadow-server mail test` */
export const mailTest = (start: StartCommand): Command =>
  new Command('test')
    .description(
      'Send a mail to an address at once, with the variables of the service, and say whether it was taken.',
    )
    .argument('<address>', 'Where it goes.', readEmail)
    .action(start(runMailTest))
    .addHelpText('after', examples('meadow-server mail test ann@example.org'))

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
  output.data({ sent: true, to, server: place }, () => 'sent')
  output.message(`${place} has taken a mail to ${printable(to)}, from ${printable(server.from.address)}.`)
}

const count = wholeNumber(1, 10_000)
const DEFAULT_COUNT = 50

/** `meadow-server mail list` */
export const mailList = (start: StartCommand): Command =>
  new Command('list')
    .description(
      'List the mails of the last days, the newest first: which wait, which were sent, and what went wrong.',
    )
    .option('--failed', 'Only those that were given up.')
    .option('--waiting', 'Only those that are not sent yet.')
    .option('--limit <number>', 'At most so many.', readCount, DEFAULT_COUNT)
    .action(start(runMailList))
    .addHelpText('after', examples('meadow-server mail list', 'meadow-server mail list --failed --json'))

function readCount(text: string): number {
  const value = count.read(text)
  if (value === undefined) throw new InvalidArgumentError(`It must be ${count.accepts}.`)
  return value
}

async function runMailList(
  { env, output }: CommandContext,
  { failed, waiting, limit }: { failed?: true; waiting?: true; limit: number },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const store = createOutboxStore(storage.database)
  const state = failed ? 'failed' : waiting ? 'waiting' : undefined
  const mails = await store.list({ state, limit })
  output.data({ mails: mails.map(showMail) }, () =>
    formatTable(
      ['CREATED', 'TO', 'WHAT', 'STATE', 'ATTEMPTS', 'REASON'],
      mails.map((mail) => [
        new Date(mail.createdAt).toISOString(),
        mail.recipient,
        mail.subject ?? mail.kind,
        mail.state,
        String(mail.attempts),
        mail.reason ?? '',
      ]),
    ),
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
