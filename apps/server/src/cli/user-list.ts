import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { showUser } from './show-user.ts'
import { getTeam, openStorage } from './storage.ts'
import { formatTable } from './table.ts'

/** `meadow-server user list` */
export const userList = (start: StartCommand): Command =>
  new Command('list')
    .description('List all users, or the members of a team with their roles.')
    .option('--team <id>', 'Only the members of this team.')
    .action(start(listUsers))
    .addHelpText('after', examples('meadow-server user list', 'meadow-server user list --team <ID> --json'))

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

async function listUsers({ env, output }: CommandContext, options: { team?: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { catalogue, users } = storage
  if (options.team !== undefined) {
    const team = await getTeam(catalogue, options.team)
    const members = (await users.listMembers(team.key)).map((member) => ({
      ...showUser(member),
      role: member.role,
    }))
    return output.data({ users: members }, () =>
      formatTable(
        ['E-MAIL', 'NAME', 'ROLE', 'ID', 'CONFIRMED'],
        members.map(({ email, name, role, id, confirmed }) => [email, name, role, id, yesOrNo(confirmed)]),
      ),
    )
  }
  const all = (await users.listUsers()).map(showUser)
  output.data({ users: all }, () =>
    formatTable(
      ['E-MAIL', 'NAME', 'ID', 'CREATED', 'CONFIRMED'],
      all.map(({ email, name, id, createdAt, confirmed }) => [
        email,
        name,
        id,
        createdAt,
        yesOrNo(confirmed),
      ]),
    ),
  )
}
