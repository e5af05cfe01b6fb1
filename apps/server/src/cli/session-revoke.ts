import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { formatCount } from './format-count.ts'
import { printable } from './printable.ts'
import { readEmail } from './read-email.ts'
import { getUser, openStorage } from './storage.ts'

/** `meadow-server session revoke` */
export const sessionRevoke = (start: StartCommand): Command =>
  new Command('revoke')
    .description('Sign a user out everywhere: all their sessions end, and what they have open is closed.')
    .requiredOption('--user <email>', 'The e-mail address of the user.', readEmail)
    .action(start(endSessions))
    .addHelpText('after', examples('meadow-server session revoke --user ann@example.org'))

async function endSessions({ env, output }: CommandContext, options: { user: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, options.user)
  const sessions = await storage.openSessions()
  const ended = await sessions.endSessions(user.id)
  output.data({ user: user.id, ended }, () => String(ended))
  output.message(`Sessions of ${printable(user.email)} that ended: ${formatCount(ended)}.`)
}
