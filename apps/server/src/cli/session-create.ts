import { Command, InvalidArgumentError } from 'commander'
import { writeSessionCookie } from '../access/session-cookie.ts'
import { openSessionSecret } from '../access/session-secret.ts'
import { wholeNumber } from '../config/kinds.ts'
import { readConfig } from '../config.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { printable } from './printable.ts'
import { readEmail } from './read-email.ts'
import { getUser, openStorage } from './storage.ts'

const DAY_MS = 24 * 3600 * 1000
const dayCount = wholeNumber(1, 365)

/** `meadow-server session create` */
export const sessionCreate = (start: StartCommand): Command =>
  new Command('create')
    .description('Sign a user in, and print the session as a cookie, for an agent or a script that edits.')
    .requiredOption('--user <email>', 'The e-mail address of the user.', readEmail)
    .option('--days <number>', 'How long the session is good.', readDays, 7)
    .action(start(createSession))
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

async function createSession(
  { env, output }: CommandContext,
  options: { user: string; days: number },
): Promise<void> {
  const config = readConfig(env)
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, options.user)
  const sessions = await storage.openSessions()
  const expiresAt = Date.now() + options.days * DAY_MS
  const token = await sessions.createSession({ user: user.id, expiresAt, userAgent: 'meadow-server' })
  const secret = await openSessionSecret(config.dataDir, config.sessionSecret)
  const isSecure = config.baseUrl?.startsWith('https:') ?? false
  const cookie = writeSessionCookie(token, { secret, isSecure })
  output.data({ cookie, expiresAt: new Date(expiresAt).toISOString() }, () => cookie)
  output.message(
    `${printable(user.email)} is signed in with the cookie printed above until ${new Date(expiresAt).toISOString()}. ` +
      'Whoever has it can do what they can: keep it in a safe place.',
  )
}
