import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { CommandFailure } from './failure.ts'
import { printable } from './printable.ts'
import { readEmail } from './read-email.ts'
import { getTeam, getUser, openStorage } from './storage.ts'

/** `meadow-server user remove` */
export const userRemove = (start: StartCommand): Command =>
  new Command('remove')
    .description('Take a user out of a team. What they have open there is closed.')
    .argument('<email>', 'The e-mail address of the user.', readEmail)
    .requiredOption('--team <id>', 'The team.')
    .action(start(removeMember))
    .addHelpText('after', examples('meadow-server user remove ann@example.org --team <ID>'))

async function removeMember(
  { env, output }: CommandContext,
  email: string,
  { team: id }: { team: string },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { catalogue, users } = storage
  const team = await getTeam(catalogue, id)
  const user = await getUser(users, email)
  const isRemoved = await catalogue.changeTeam(team.key, (change) => change.removeMember(user.id))
  if (!isRemoved)
    throw new CommandFailure(`${printable(user.email)} is no member of team "${printable(team.name)}".`)
  output.data({ user: user.id, team: team.id, removed: true }, () => 'removed')
  output.message(`${printable(user.email)} is no longer a member of team "${printable(team.name)}".`)
}
