import { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { readHost, refuseOwnHost } from './host-name.ts'
import { printable } from './printable.ts'
import { readCredits } from './read-credits.ts'
import { readName } from './read-name.ts'
import { showTeam } from './show-team.ts'
import { openStorage } from './storage.ts'

/** `meadow-server team create` */
export const teamCreate = (start: StartCommand): Command =>
  new Command('create')
    .description('Create a team and print its id.')
    .argument('<name>', 'What the team is called.', readName)
    .option('--host <host>', 'A host name of its own: requests under it are for this team only.', readHost)
    .option('--credits <number>', 'How many seconds of solver time the team may spend.', readCredits(0))
    .action(start(createTeam))
    .addHelpText(
      'after',
      examples(
        'meadow-server team create "Facades"',
        'meadow-server team create "Facades" --host facades.example.org --credits 3600',
      ),
    )

interface Options {
  host?: string
  credits?: number
}

async function createTeam({ env, output }: CommandContext, name: string, options: Options): Promise<void> {
  if (options.host !== undefined) refuseOwnHost(options.host, readConfig(env))
  await using storage = await openStorage({ env, output }, { isFirst: true })
  const team = await storage.catalogue.createTeam({ name, ...options })
  output.data(showTeam(team), () => team.id)
  output.message(`Team "${printable(team.name)}" is there. Its id, printed above, is what --team asks for.`)
}
