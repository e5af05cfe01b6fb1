import { Command } from 'commander'
import { createPassword, hashPassword, isAcceptablePassword, setPassword } from '../access/passwords.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { UsageFailure } from './failure.ts'
import { printable } from './printable.ts'
import { readEmail } from './read-email.ts'
import { getUser, openStorage } from './storage.ts'

/** `meadow-server user set-password` */
export const userSetPassword = (start: StartCommand): Command =>
  new Command('set-password')
    .description('Give a user a password to sign in with, and print it. Their sessions end.')
    .argument('<email>', 'The e-mail address of the user.', readEmail)
    .option(
      '--password-env <name>',
      'The environment variable that holds the password. Without it: one is made.',
    )
    .action(start(setUserPassword))
    .addHelpText(
      'after',
      examples(
        'meadow-server user set-password ann@example.org',
        'NEW=… meadow-server user set-password ann@example.org --password-env NEW',
      ),
    )

async function setUserPassword(
  { env, output }: CommandContext,
  email: string,
  options: { passwordEnv?: string },
): Promise<void> {
  const given = readGiven(env, options.passwordEnv)
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, email)
  const password = given ?? createPassword()
  const hash = await hashPassword(password)
  await storage.database.transaction((write) => setPassword(write, user.id, hash))
  const sessions = await storage.openSessions()
  const ended = await sessions.endSessions(user.id)
  // One that was given is known, and is not to appear in a log.
  const shown = given === undefined ? { password } : {}
  output.data({ id: user.id, email: user.email, ...shown, sessionsEnded: ended }, () => shown.password ?? '')
  output.message(`${printable(user.email)} can sign in with ${given ? 'the given' : 'this'} password.`)
}

/** Not as an argument: those can be read by everybody on the machine. */
function readGiven(env: CommandContext['env'], name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const password = env[name]
  if (password === undefined || !isAcceptablePassword(password))
    throw new UsageFailure(`The variable ${name} must hold a password of 8 to 128 characters.`)
  return password
}
