import type { MemberRole } from '@meadow/contract'
import { Command } from 'commander'
import { EmailTakenError, type UserRecord, type UserStore } from '../access/users.store.ts'
import { type ReplacedUser, replaceUnconfirmedUser } from '../catalogue/members.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { printable } from './printable.ts'
import { readEmail } from './read-email.ts'
import { readName } from './read-name.ts'
import { roleOption } from './role-option.ts'
import { showUser } from './show-user.ts'
import { getTeam, openStorage } from './storage.ts'

/** `meadow-server user create` */
export const userCreate = (start: StartCommand): Command =>
  new Command('create')
    .summary('Create a user, who may sign in, and print their id.')
    .description(
      'Create a user, who may sign in, and print their id. With it you vouch that the address is theirs.',
    )
    .requiredOption('--email <email>', 'The e-mail address that the user signs in with.', readEmail)
    .requiredOption('--name <name>', 'What others see.', readName)
    .option('--team <id>', 'A team that the user becomes a member of.')
    .addOption(roleOption())
    .option(
      '--replace-unconfirmed',
      'End an account with that address that nobody confirmed, with all that it can do.',
    )
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
  replaceUnconfirmed?: true
}

async function createUser(
  { env, output }: CommandContext,
  { email, name, ...options }: Options,
): Promise<void> {
  if (options.team === '') throw new UsageFailure('Name a team behind --team, or leave it out.')
  await using storage = await openStorage({ env, output }, { isFirst: true })
  const { catalogue, users } = storage
  // Before the user is made: a mistyped team leaves nothing behind.
  const team = options.team === undefined ? undefined : await getTeam(catalogue, options.team)
  const { user, replaced } = options.replaceUnconfirmed
    ? await replaceUnconfirmedUser(storage.database, { email, name })
    : { user: await createNewUser(users, { email, name }), replaced: undefined }
  if (team) await catalogue.changeTeam(team.key, (change) => change.setMember(user.id, options.role))
  const teams = team ? [{ id: team.id, name: team.name, role: options.role }] : []
  output.data({ ...showUser(user), teams, ...(replaced && { replaced }) }, () => user.id)
  const joined = team ? `, ${options.role} of team "${printable(team.name)}"` : ''
  output.message(`User "${printable(name)}" (${email}) created${joined}.`)
  if (replaced) output.message(describeReplaced(replaced))
}

async function createNewUser(users: UserStore, user: { email: string; name: string }): Promise<UserRecord> {
  try {
    return await users.createUser(user)
  } catch (error) {
    if (!(error instanceof EmailTakenError) || (await users.findUser(user.email))?.isConfirmed) throw error
    throw new CommandFailure(
      `${error.message} Nobody confirmed that the address is theirs: it was typed with an invitation. If you know that ` +
        `it is, give them a role with "meadow-server user add ${user.email} --team ID --unconfirmed"; if not, ` +
        '"--replace-unconfirmed" ends that account and creates this one.',
    )
  }
}

function describeReplaced({ id, teams }: NonNullable<ReplacedUser['replaced']>): string {
  const names = teams
    .map(
      ({ name, id, hasOwner }) => `"${printable(name)}" (${id}${hasOwner ? '' : ', which has no owner now'})`,
    )
    .join(', ')
  const left = teams.length === 0 ? 'It was in no team.' : `It was a member of ${names}.`
  return `The unconfirmed account ${id} with that address is gone, with its sessions, password, roles and API tokens. ${left}`
}
