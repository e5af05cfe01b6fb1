import { type CommandContext, type Declaration, formatCount, printable, readWhole } from '@meadow/command'
import { createLinkKeyStore } from '../../access/link-keys.store.ts'
import { openSessionSecret, writeSessionCookie } from '../../access/session-cookie.ts'
import { readConfig } from '../../config.ts'
import { cookieScopeOf } from '../../http/connection/public-address.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { readEmail } from '../arguments.ts'
import { getUser, openStorage } from '../storage.ts'

const DAY_MS = 24 * 3600 * 1000

/** `meadow-server session create` */
export const sessionCreate: Declaration = {
  name: 'create',
  description: 'Sign a user in, and print the session as a cookie, for an agent or a script that edits.',
  options: {
    '--user <email>': { says: 'The e-mail address of the user.', read: readEmail, isRequired: true },
    '--days <number>': {
      says: 'How long the session is good.',
      read: readWhole(1, 365),
      default: 7,
    },
  },
  examples: [
    'meadow-server session create --user ann@example.org --json',
    'COOKIE=$(meadow-server session create --user ann@example.org)',
  ],
  run: runSessionCreate,
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
  await output.data({ cookie, expiresAt: new Date(expiresAt).toISOString() }, () => cookie)
  output.message(
    `${printable(user.email)} is signed in with the cookie printed above until ${new Date(expiresAt).toISOString()}. ` +
      'Whoever has it can do what they can: keep it in a safe place.',
  )
}

/** `meadow-server session revoke` */
export const sessionRevoke: Declaration = {
  name: 'revoke',
  description: 'Sign a user out everywhere: all their sessions end, and what they have open is closed.',
  options: {
    '--user <email>': { says: 'The e-mail address of the user.', read: readEmail, isRequired: true },
  },
  examples: ['meadow-server session revoke --user ann@example.org'],
  run: runSessionRevoke,
}

async function runSessionRevoke({ env, output }: CommandContext, options: { user: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, options.user)
  const sessions = await storage.openSessions()
  const ended = await sessions.endSessions(user.id)
  await output.data({ user: user.id, ended }, () => String(ended))
  output.message(`Sessions of ${printable(user.email)} that ended: ${formatCount(ended)}.`)
}

/** `meadow-server links rotate-key` */
export const linksRotateKey: Declaration = {
  name: 'rotate-key',
  description:
    'Sign links to exports with a new key from now on. Links that exist work until they expire, within the hour.',
  options: { '--end-links': 'End all links that exist too, as when a key may be in the wrong hands.' },
  examples: ['meadow-server links rotate-key', 'meadow-server links rotate-key --end-links'],
  run: rotateKey,
}

async function rotateKey({ env, output }: CommandContext, options: { endLinks?: true }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const endLinks = options.endLinks ?? false
  await createLinkKeyStore(storage.database).rotate({ endLinks })
  const said = endLinks ? 'All links that exist have ended.' : 'Links that exist work until they expire.'
  await output.data({ rotated: true, endedLinks: endLinks }, () => `Links are signed with a new key. ${said}`)
}
