import type { MemberRole } from '@meadow/contract'
import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { printable } from './printable.ts'
import { readEmail } from './read-email.ts'
import { roleOption } from './role-option.ts'
import { getTeam, getUser, openStorage } from './storage.ts'

/** `meadow-server user add` */
export const userAdd = (start: StartCommand): Command =>
  new Command('add')
    .description('Make a user a member of a team, or give a member another role.')
    .argument('<email>', 'The e-mail address of the user.', readEmail)
    .requiredOption('--team <id>', 'The team.')
    .addOption(roleOption())
    .action(start(addMember))
    .addHelpText('after', examples('meadow-server user add ann@example.org --team <ID> --role viewer'))

async function addMember(
  { env, output }: CommandContext,
  email: string,
  { team: id, role }: { team: string; role: MemberRole },
): Promise<void> {
  await using storage = await openStorage(env)
  const { catalogue, users } = storage
  const team = await getTeam(catalogue, id)
  const user = await getUser(users, email)
  await catalogue.changeTeam(team.key, (change) => change.setMember(user.id, role))
  output.data({ user: user.id, team: team.id, role }, () => role)
  output.message(`${printable(user.email)} is ${role} of team "${printable(team.name)}" now.`)
}
