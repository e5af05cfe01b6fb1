import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { showTeam } from './show-team.ts'
import { openStorage } from './storage.ts'
import { formatTable } from './table.ts'

/** `meadow-server team list` */
export const teamList = (start: StartCommand): Command =>
  new Command('list')
    .description('List all teams.')
    .action(start(listTeams))
    .addHelpText('after', examples('meadow-server team list', 'meadow-server team list --json'))

async function listTeams({ env, output }: CommandContext): Promise<void> {
  await using storage = await openStorage({ env, output })
  const teams = (await storage.catalogue.listTeams()).map(showTeam)
  output.data({ teams }, () =>
    formatTable(
      ['ID', 'NAME', 'HOST', 'CREDITS', 'CREATED'],
      teams.map(({ id, name, host, credits, createdAt }) => [
        id,
        name,
        host ?? '',
        String(credits),
        createdAt,
      ]),
    ),
  )
  if (teams.length === 0)
    output.message('There is no team yet: make one with "meadow-server team create NAME".')
}
