import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { CommandFailure } from './failure.ts'
import { printable } from './printable.ts'
import { showToken } from './show-token.ts'
import { openStorage } from './storage.ts'

/** `meadow-server token revoke` */
export const tokenRevoke = (start: StartCommand): Command =>
  new Command('revoke')
    .description('Revoke an API token: the very next request with it is refused.')
    .argument('<id>', 'The id of the token, as "meadow-server token list" shows it.')
    .action(start(revokeToken))
    .addHelpText('after', examples('meadow-server token revoke <ID>'))

async function revokeToken({ env, output }: CommandContext, id: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { catalogue } = storage
  const team = await catalogue.findTeamOfToken(id)
  // The id is not repeated: a secret may have been pasted in its place.
  if (!team) {
    throw new CommandFailure(
      'There is no token with that id. "meadow-server token list --team ID" shows the ids.',
    )
  }
  await catalogue.changeTeam(team.key, (change) => change.revokeToken(id))
  const token = (await catalogue.listTokens(team.key)).find((token) => token.id === id)!
  output.data(showToken(token), () => token.id)
  output.message(`The token "${printable(token.name)}" of team "${printable(team.name)}" is revoked.`)
}
