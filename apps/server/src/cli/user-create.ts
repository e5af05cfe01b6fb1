import type { MemberRole } from '@meadow/contract'
import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { UsageFailure } from './failure.ts'
import { printable } from './printable.ts'
import { readEmail } from './read-email.ts'
import { readName } from './read-name.ts'
import { roleOption } from './role-option.ts'
import { showUser } from './show-user.ts'
import { getTeam, openStorage } from './storage.ts'

/** `meadow-server user create` */
export const userCreate = (start: StartCommand): Command =>
  new Command('create')
    .description('Create a user, who may sign in, and print their id.')
    .requiredOption('--email <email>', 'The e-mail address that the user signs in with.', readEmail)
    .requiredOption('--name <name>', 'What others see.', readName)
    .option('--team <id>', 'A team that the user becomes a member of.')
    .addOption(roleOption())
    .action(start(createUser))
    .addHelpText(
      'after',
      examples(
        'meadow-server user create --email ann@example.org --name "Ann"',
        'meadow-server user create --email ann@example.org --name "Ann" --team <ID> --role owner',
      ),
    )

interface Options {
  email: string
  name: string
  team?: string
  role: MemberRole
}

async function createUser(
  { env, output }: CommandContext,
  { email, name, ...options }: Options,
): Promise<void> {
  if (options.team === '') throw new UsageFailure('Name a team behind --team, or leave it out.')
  await using storage = await openStorage(env, { isFirst: true })
  const { catalogue, users } = storage
  // Before the user is made: a mistyped team leaves nothing behind.
  const team = options.team === undefined ? undefined : await getTeam(catalogue, options.team)
  const user = await users.createUser({ email, name })
  if (team) await catalogue.changeTeam(team.key, (change) => change.setMember(user.id, options.role))
  const teams = team ? [{ id: team.id, name: team.name, role: options.role }] : []
  output.data({ ...showUser(user), teams }, () => user.id)
  const joined = team ? `, ${options.role} of team "${printable(team.name)}"` : ''
  output.message(`User "${printable(name)}" (${email}) created${joined}.`)
}
