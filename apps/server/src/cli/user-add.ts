import type { MemberRole } from '@meadow/contract'
import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { CommandFailure } from './failure.ts'
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
    .option('--unconfirmed', 'Also when nobody confirmed that the address is theirs: you know that it is.')
    .action(start(addMember))
    .addHelpText('after', examples('meadow-server user add ann@example.org --team <ID> --role viewer'))

async function addMember(
  { env, output }: CommandContext,
  email: string,
  { team: id, role, unconfirmed }: { team: string; role: MemberRole; unconfirmed?: true },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { catalogue, users } = storage
  const team = await getTeam(catalogue, id)
  const user = await getUser(users, email)
  // An account keeps its id and an address that was confirmed once stays so: nothing changes before the next line.
  if (!user.isConfirmed && !unconfirmed) throw new CommandFailure(describeUnconfirmed(user.email))
  await catalogue.changeTeam(team.key, (change) => change.setMember(user.id, role))
  output.data({ user: user.id, team: team.id, role }, () => role)
  output.message(`${printable(user.email)} is ${role} of team "${printable(team.name)}" now.`)
}

const describeUnconfirmed = (email: string): string =>
  `Nobody confirmed that "${email}" is the address of whoever has this account: it was typed with an invitation. ` +
  'If you know that it is theirs, add "--unconfirmed". If not, replace the account with ' +
  `"meadow-server user create --email ${email} --name NAME --replace-unconfirmed".`
