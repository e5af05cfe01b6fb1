import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { CommandFailure } from './failure.ts'
import { formatCount } from './format-count.ts'
import { printable } from './printable.ts'
import { MAX_CREDITS, readCredits } from './read-credits.ts'
import { getTeam, openStorage } from './storage.ts'

/** `meadow-server team credits` */
export const teamCredits = (start: StartCommand): Command =>
  new Command('credits')
    .description('Print how many credits a team has, or give it more. A credit is a second of solver time.')
    .argument('<id>', 'The id of the team.')
    .option('--add <number>', 'So many more.', readCredits(1))
    .action(start(showCredits))
    .addHelpText(
      'after',
      examples('meadow-server team credits <ID>', 'meadow-server team credits <ID> --add 3600'),
    )

async function showCredits(
  { env, output }: CommandContext,
  id: string,
  options: { add?: number },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.catalogue, id)
  const { add } = options
  if (add !== undefined && team.credits + add > MAX_CREDITS) {
    throw new CommandFailure(`A team can have ${formatCount(MAX_CREDITS)} credits at most.`)
  }
  const credits =
    add === undefined
      ? team.credits
      : await storage.catalogue.changeTeam(team.key, (change) => change.addCredits(add))
  output.data({ id: team.id, credits }, () => String(credits))
  if (add !== undefined)
    output.message(`Team "${printable(team.name)}" has ${formatCount(add)} credits more.`)
}
