import { ALL_SCOPES, SCOPES, type Scope, type TokenEndReason } from '@meadow/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import { createTokenSecret } from '../../access/tokens.ts'
import type { TokenRecord } from '../../catalogue/catalogue.ts'
import { readName } from '../arguments.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure } from '../failure.ts'
import { examples } from '../help.ts'
import { formatTable, printable } from '../output/format.ts'
import { getTeam, openStorage } from '../storage.ts'

/** `meadow-server token create` */
export const tokenCreate = (start: StartCommand): Command =>
  new Command('create')
    .description('Create an API token and print its secret, which is shown this once.')
    .requiredOption('--team <id>', 'The team that the token reads.')
    .requiredOption('--name <name>', 'What the token is for.', readName)
    .addOption(
      new Option(
        '--scope <scope...>',
        'What the token may do; repeat for more. Without it: everything.',
      ).choices(ALL_SCOPES),
    )
    .option(
      '--expires <date>',
      'From when on the token is refused: 2030-01-31, or 2030-01-31T18:00Z.',
      (text) => readExpiry(text),
    )
    .action(start(runTokenCreate))
    .addHelpText(
      'after',
      `\nScopes:
${ALL_SCOPES.map((scope) => `  ${scope.padEnd(16)}${SCOPES[scope]}`).join('\n')}`,
    )
    .addHelpText(
      'after',
      examples(
        'meadow-server token create --team <ID> --name "Nightly report"',
        'meadow-server token create --team <ID> --name CI --scope folders:read --scope documents:read --expires 2030-01-31',
        'TOKEN=$(meadow-server token create --team <ID> --name script)',
      ),
    )

interface TokenCreateOptions {
  team: string
  name: string
  scope?: Scope[]
  expires?: number
}

async function runTokenCreate({ env, output }: CommandContext, options: TokenCreateOptions): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.catalogue, options.team)
  const secret = createTokenSecret()
  const scopes = options.scope ? ALL_SCOPES.filter((scope) => options.scope!.includes(scope)) : ALL_SCOPES
  const token = await storage.catalogue.changeTeam(team.key, (change) =>
    change.createToken({ name: options.name, secret, scopes, expiresAt: options.expires }),
  )
  output.data({ token: secret, ...showToken(token) }, () => secret)
  const until =
    token.expiresAt === null ? 'never expires' : `expires at ${new Date(token.expiresAt).toISOString()}`
  output.message(
    `The token "${printable(token.name)}" (${token.id}) of team "${printable(team.name)}" ${until}. ` +
      'Keep its secret, printed above, in a safe place: it is not shown again.',
  )
}

/** `meadow-server token list` */
export const tokenList = (start: StartCommand): Command =>
  new Command('list')
    .description("List a team's API tokens, revoked and expired ones too.")
    .requiredOption('--team <id>', 'The team.')
    .action(start(runTokenList))
    .addHelpText(
      'after',
      examples('meadow-server token list --team <ID>', 'meadow-server token list --team <ID> --json'),
    )

const END_REASONS: Record<TokenEndReason, string> = {
  maker_left: 'its maker left',
  maker_role: 'its maker may not make tokens',
}

async function runTokenList({ env, output }: CommandContext, options: { team: string }): Promise<void> {
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

/** `meadow-server token revoke` */
export const tokenRevoke = (start: StartCommand): Command =>
  new Command('revoke')
    .description('Revoke an API token: the very next request with it is refused.')
    .argument('<id>', 'The id of the token, as "meadow-server token list" shows it.')
    .action(start(runTokenRevoke))
    .addHelpText('after', examples('meadow-server token revoke <ID>'))

async function runTokenRevoke({ env, output }: CommandContext, id: string): Promise<void> {
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

/** A token as `--json` shows it: all but its secret. */
const showToken = (token: TokenRecord, now = Date.now()) => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  scopes: token.scopes,
  state: stateOf(token, now),
  createdAt: showTime(token.createdAt),
  expiresAt: showTime(token.expiresAt),
  revokedAt: showTime(token.revokedAt),
  endReason: token.endReason,
})

const showTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

function stateOf({ revokedAt, expiresAt }: TokenRecord, now: number): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid'
}

/** A calendar day, or a moment with an offset or in UTC. */
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?$/

/** When a token expires, in milliseconds since 1970. A day alone means its first moment in UTC, no offset means UTC. */
export function readExpiry(text: string, now = Date.now()): number {
  const parts = MOMENT.exec(text)
  if (!parts || Number(parts[3]) < 1 || Number(parts[3]) > daysInMonth(Number(parts[1]), Number(parts[2]))) {
    throw new InvalidArgumentError('It must be a date such as 2030-01-31 or 2030-01-31T18:00Z.')
  }
  const time = Date.parse(parts[4] && !parts[8] ? `${text}Z` : text)
  if (time <= now) throw new InvalidArgumentError('It must be in the future.')
  return time
}

/** 0 when there is no such month. */
const daysInMonth = (year: number, month: number): number =>
  month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
