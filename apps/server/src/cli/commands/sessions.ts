import { Command, InvalidArgumentError } from 'commander'
import { createLinkKeyStore } from '../../access/link-keys.store.ts'
import { openSessionSecret, writeSessionCookie } from '../../access/session-cookie.ts'
import { wholeNumber } from '../../config/kinds.ts'
import { readConfig } from '../../config.ts'
import { cookieScopeOf } from '../../http/connection/public-address.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { readEmail } from '../arguments.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { examples } from '../help.ts'
import { formatCount, printable } from '../output/format.ts'
import { getUser, openStorage } from '../storage.ts'

const DAY_MS = 24 * 3600 * 1000
const dayCount = wholeNumber(1, 365)

/** `meadow-server session create` */
export const sessionCreate = (start: StartCommand): Command =>
  new Command('create')
    .description('Sign a user in, and print the session as a cookie, for an agent or a script that edits.')
    .requiredOption('--user <email>', 'The e-mail address of the user.', readEmail)
    .option('--days <number>', 'How long the session is good.', readDays, 7)
    .action(start(runSessionCreate))
    .addHelpText(
      'after',
      examples(
        'meadow-server session create --user ann@example.org --json',
        'COOKIE=$(meadow-server session create --user ann@example.org)',
      ),
    )

function readDays(text: string): number {
  const value = dayCount.read(text)
  if (value === undefined) throw new InvalidArgumentError(`It must be ${dayCount.accepts}.`)
  return value
}

async function runSessionCreate(
  { env, output }: CommandContext,
  options: { user: string; days: number },
): Promise<void> {
  const config = readConfig(env)
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, options.user)
  const sessions = await storage.openSessions()
  const expiresAt = timeOf(storage.database.read) + options.days * DAY_MS
  const token = await sessions.createSession({
    user: user.id,
    expiresAt,
    userAgent: 'meadow-server',
  })
  const secret = await openSessionSecret(config.dataDir, config.sessionSecret)
  const cookie = writeSessionCookie(token, { secret, ...cookieScopeOf(config.baseUrl) })
  output.data({ cookie, expiresAt: new Date(expiresAt).toISOString() }, () => cookie)
  output.message(
    `${printable(user.email)} is signed in with the cookie printed above until ${new Date(expiresAt).toISOString()}. ` +
      'Whoever has it can do what they can: keep it in a safe place.',
  )
}

/** `meadow-server session revoke` */
export const sessionRevoke = (start: StartCommand): Command =>
  new Command('revoke')
    .description('Sign a user out everywhere: all their sessions end, and what they have open is closed.')
    .requiredOption('--user <email>', 'The e-mail address of the user.', readEmail)
    .action(start(runSessionRevoke))
    .addHelpText('after', examples('meadow-server session revoke --user ann@example.org'))

async function runSessionRevoke({ env, output }: CommandContext, options: { user: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, options.user)
  const sessions = await storage.openSessions()
  const ended = await sessions.endSessions(user.id)
  output.data({ user: user.id, ended }, () => String(ended))
  output.message(`Sessions of ${printable(user.email)} that ended: ${formatCount(ended)}.`)
}

/** `meadow-server links rotate-key` */
export const linksRotateKey = (start: StartCommand): Command =>
  new Command('rotate-key')
    .description(
      'Sign links to exports with a new key from now on. Links that exist work until they expire, within the hour.',
    )
    .option('--end-links', 'End all links that exist too, as when a key may be in the wrong hands.')
    .action(start(rotateKey))
    .addHelpText(
      'after',
      examples('meadow-server links rotate-key', 'meadow-server links rotate-key --end-links'),
    )

async function rotateKey({ env, output }: CommandContext, options: { endLinks?: true }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const endLinks = options.endLinks ?? false
  await createLinkKeyStore(storage.database).rotate({ endLinks })
  const said = endLinks ? 'All links that exist have ended.' : 'Links that exist work until they expire.'
  output.data({ rotated: true, endedLinks: endLinks }, () => `Links are signed with a new key. ${said}`)
}
