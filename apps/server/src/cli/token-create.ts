import { ALL_SCOPES, SCOPES, type Scope } from '@meadow/contract'
import { Command, Option } from 'commander'
import { createTokenSecret } from '../access/tokens.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { printable } from './printable.ts'
import { readExpiry } from './read-expiry.ts'
import { readName } from './read-name.ts'
import { showToken } from './show-token.ts'
import { getTeam, openStorage } from './storage.ts'

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
    .action(start(createToken))
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

interface Options {
  team: string
  name: string
  scope?: Scope[]
  expires?: number
}

async function createToken({ env, output }: CommandContext, options: Options): Promise<void> {
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
