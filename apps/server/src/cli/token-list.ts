import type { TokenEndReason } from '@meadow/contract'
import { Command } from 'commander'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { showToken } from './show-token.ts'
import { getTeam, openStorage } from './storage.ts'
import { formatTable } from './table.ts'

/** `meadow-server token list` */
export const tokenList = (start: StartCommand): Command =>
  new Command('list')
    .description("List a team's API tokens, revoked and expired ones too.")
    .requiredOption('--team <id>', 'The team.')
    .action(start(listTokens))
    .addHelpText(
      'after',
      examples('meadow-server token list --team <ID>', 'meadow-server token list --team <ID> --json'),
    )

const END_REASONS: Record<TokenEndReason, string> = {
  maker_left: 'its maker left',
  maker_role: 'its maker may not make tokens',
}

async function listTokens({ env, output }: CommandContext, options: { team: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.catalogue, options.team)
  const tokens = (await storage.catalogue.listTokens(team.key)).map((token) => showToken(token))
  output.data({ tokens }, () =>
    formatTable(
      ['ID', 'NAME', 'SECRET', 'STATE', 'CREATED', 'EXPIRES', 'SCOPES'],
      tokens.map(({ id, name, hint, state, endReason, createdAt, expiresAt, scopes }) => [
        id,
        name,
        `${hint}…`,
        endReason === null ? state : `${state}, ${END_REASONS[endReason]}`,
        createdAt ?? '',
        expiresAt ?? 'never',
        scopes.join(' '),
      ]),
    ),
  )
}
