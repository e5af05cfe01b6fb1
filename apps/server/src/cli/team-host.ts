import { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { UsageFailure } from './failure.ts'
import { readHost, refuseOwnHost } from './host-name.ts'
import { printable } from './printable.ts'
import { getTeam, openStorage } from './storage.ts'

/** `meadow-server team host` */
export const teamHost = (start: StartCommand): Command =>
  new Command('host')
    .summary('Print, set or remove the host name of a team.')
    .description(
      'Print the host name of a team, give it one, or take it away. Under a host name of its own there is only that ' +
        'team: tokens of other teams are refused. The name has to lead to this server.',
    )
    .argument('<id>', 'The id of the team.')
    .argument('[host]', 'The host name to give it, such as acme.example.org.', readHost)
    .option('--none', 'Take the host name away.')
    .action(start(changeHost))
    .addHelpText(
      'after',
      examples(
        'meadow-server team host <ID>',
        'meadow-server team host <ID> acme.example.org',
        'meadow-server team host <ID> --none',
      ),
    )

async function changeHost(
  { env, output }: CommandContext,
  id: string,
  given: string | undefined,
  options: { none?: true },
): Promise<void> {
  if (given !== undefined && options.none) {
    throw new UsageFailure('A host name and "--none" exclude each other: leave one of them out.')
  }
  const config = readConfig(env)
  if (given !== undefined) refuseOwnHost(given, config)
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.catalogue, id)
  const isShown = given === undefined && !options.none
  const host = isShown ? team.host : (given ?? null)
  if (!isShown) await storage.catalogue.changeTeam(team.key, (change) => change.setHost(host))
  output.data({ id: team.id, host }, () => host ?? '')
  output.message(describe(`Team "${printable(team.name)}"`, host, isShown))
  if (given !== undefined && config.baseUrl === undefined) output.warning(NOT_CHECKED)
}

function describe(team: string, host: string | null, isShown: boolean): string {
  const now = isShown ? '' : ' now'
  if (host === null) return `${team} has no host name of its own${now}.`
  return `${team} has the host name "${host}"${now}: under it, tokens of other teams are refused.`
}

const NOT_CHECKED =
  'MEADOW_BASE_URL is not set here, so it was not checked whether everybody comes to the server under this name. ' +
  'If they do, the tokens of all other teams are refused now: take it away with "--none".'
