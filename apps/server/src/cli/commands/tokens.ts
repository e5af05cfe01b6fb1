import { stdin } from 'node:process'
import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCountOf,
  InvalidArgumentError,
  printable,
  UsageFailure,
} from '@meadow/command'
import type { FolderId } from '@meadow/contract'
import {
  ALL_SCOPES,
  DEFAULT_TOKEN_DAYS,
  MAX_TOKEN_DAYS,
  MAX_TOKEN_FOLDERS,
  SCOPES,
  type Scope,
  TOKEN_OVERLAPS,
  type TokenEndReason,
  type TokenOverlap,
} from '@meadow/contract/terms'
import {
  createToken,
  findTokenBySecret,
  listTokens,
  replaceToken,
  revokeToken,
  type TokenRecord,
} from '../../access/team-tokens.ts'
import { defaultExpiry, readTokenPolicy } from '../../access/token-policy.ts'
import { readOrigin } from '../../access/token-principal.store.ts'
import { createTokenSecret, looksLikeToken } from '../../access/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { isNetwork } from '../../platform/networks.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { findTeamOfToken, type TeamRecord } from '../../team/teams.ts'
import { readName } from '../arguments.ts'
import { getFolderAt, getTeam, openStorage } from '../storage.ts'

const DAY_MS = 86_400_000

/** `meadow-server token create` */
export const tokenCreate: Declaration = {
  name: 'create',
  description: 'Create an API token and print its secret, which is shown this once.',
  options: {
    '--team <id>': { says: 'The team that the token reads.', isRequired: true },
    '--name <name>': { says: 'What the token is for.', read: readName, isRequired: true },
    '--scope <scope...>': {
      says: "What the token may do; repeat for more. Without it: everything that the team's policy allows.",
      choices: ALL_SCOPES,
    },
    '--expires <when>': {
      says: `From when on the token is refused: 30d, 2030-01-31, 2030-01-31T18:00Z, or never. Without it: after ${DEFAULT_TOKEN_DAYS} days, or sooner where the team's policy says so.`,
      read: (text: string) => readExpiry(text),
    },
    '--folder <folder...>':
      'Limit the token to a folder with everything below; repeat for more. Its id, or its path from the root, such as ' +
      'Projects/Tower. Without it: the whole team.',
    '--address <network...>': {
      says: 'Where the token works: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32; repeat for more. Without it: anywhere.',
      read: collectNetworks,
    },
    '--origin <origin...>': {
      says: 'Pages of this origin may read with the token in a browser: https://dashboard.example.org; repeat for more.',
      read: collectOrigins,
    },
  },
  notes: `\nScopes:
${ALL_SCOPES.map((scope) => `  ${scope.padEnd(16)}${SCOPES[scope]}`).join('\n')}`,
  examples: [
    'meadow-server token create --team <ID> --name "Nightly report"',
    'meadow-server token create --team <ID> --name CI --scope folders:read --scope documents:read --expires 30d --address 10.0.0.0/8',
    'meadow-server token create --team <ID> --name "Site office" --folder Projects/Tower --folder <ID>',
    'TOKEN=$(meadow-server token create --team <ID> --name script)',
  ],
  run: runTokenCreate,
}

interface TokenCreateOptions {
  team: string
  name: string
  scope?: Scope[]
  expires?: number | 'never'
  folder?: string[]
  address?: string[]
  origin?: string[]
}

async function runTokenCreate({ env, output }: CommandContext, options: TokenCreateOptions): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, options.team)
  const secret = createTokenSecret()
  const policy = await readTokenPolicy(storage.database.read, team.key)
  const scopes = options.scope ? ALL_SCOPES.filter((scope) => options.scope!.includes(scope)) : policy.scopes
  const {
    expires = defaultExpiry(policy, timeOf(storage.database.read)),
    address: addresses = [],
    origin: origins = [],
    name,
  } = options
  const expiresAt = expires === 'never' ? null : expires
  const folders = options.folder && (await findFolders(storage.database, team, options.folder))
  const token = await changeTeam(storage.database, team.key, (change) =>
    createToken(change, { name, secret, scopes, expiresAt, addresses, origins, folders }),
  )
  await output.data({ token: secret, ...showToken(token) }, () => secret)
  const until =
    token.expiresAt === null ? 'never expires' : `expires at ${new Date(token.expiresAt).toISOString()}`
  const where = token.folders ? ` and reads ${describeFolders(token.folders)} only` : ''
  output.message(
    `The token "${printable(token.name)}" (${token.id}) of team "${printable(team.name)}" ${until}${where}. ` +
      'Keep its secret, printed above, in a safe place: it is not shown again.',
  )
}

/** The folders with these ids or paths. */
async function findFolders(
  database: Database,
  team: TeamRecord,
  given: readonly string[],
): Promise<FolderId[]> {
  if (given.length > MAX_TOKEN_FOLDERS)
    throw new CommandFailure(`A token can be limited to ${MAX_TOKEN_FOLDERS} folders at most.`)
  const folders: FolderId[] = []
  for (const one of given) folders.push((await getFolderAt(database, team, one)).id)
  return folders
}

const describeFolders = (folders: NonNullable<TokenRecord['folders']>): string =>
  folders.map(({ name }) => `"${printable(name)}"`).join(', ') || 'no folder any more'

/** `meadow-server token list` */
export const tokenList: Declaration = {
  name: 'list',
  description: "List a team's API tokens, revoked and expired ones too.",
  options: { '--team <id>': { says: 'The team.', isRequired: true } },
  examples: ['meadow-server token list --team <ID>', 'meadow-server token list --team <ID> --json'],
  run: runTokenList,
}

const END_REASONS: Record<TokenEndReason, string> = {
  maker_left: 'its maker left',
  maker_role: 'its maker may not make tokens',
  policy: "the team's policy left it no scope",
  leaked: 'its secret became known',
}

async function runTokenList({ env, output }: CommandContext, options: { team: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, options.team)
  const tokens = (await listTokens(storage.database.read, team.key)).map((token) => showToken(token))
  await output.data(
    { tokens },
    {
      table: {
        columns: [
          'ID',
          'NAME',
          'KIND',
          'SECRET',
          'STATE',
          'CREATED',
          'LAST USED',
          'EXPIRES',
          'FOLDERS',
          'SCOPES',
        ],
        rows: tokens.map((token) => [
          token.id,
          token.name,
          token.kind,
          `${token.hint}…`,
          describeState(token),
          token.createdAt ?? '',
          [token.lastUsedAt ?? 'never', token.lastUsedFrom ?? ''].join(' ').trim(),
          token.expiresAt ?? 'never',
          token.folders ? describeFolders(token.folders) : 'all',
          token.scopes.join(' '),
        ]),
      },
    },
  )
}

function describeState({ state, endReason, replacedBy }: ReturnType<typeof showToken>): string {
  if (endReason !== null) return `${state}, ${END_REASONS[endReason]}`
  return replacedBy === null ? state : `${state}, replaced by ${replacedBy}`
}

const NO_SUCH_ID = 'There is no token with that id. "meadow-server token list --team ID" shows the ids.'

/** `meadow-server token revoke` */
export const tokenRevoke: Declaration = {
  name: 'revoke',
  description: 'Revoke an API token: the very next request with it is refused.',
  arguments: { '[id]': 'The id of the token, as "meadow-server token list" shows it.' },
  options: { '--value-stdin': 'Read the secret of the token from stdin instead: it became known to others.' },
  examples: ['meadow-server token revoke <ID>', 'meadow-server token revoke --value-stdin < leaked.txt'],
  run: runTokenRevoke,
}

async function runTokenRevoke(
  { env, output }: CommandContext,
  given: string | undefined,
  { valueStdin }: { valueStdin?: true },
): Promise<void> {
  if ((given === undefined) === (valueStdin === undefined))
    throw new UsageFailure('Give the id of the token, or --value-stdin and its secret.')
  const secret = valueStdin && (await readSecret())
  await using storage = await openStorage({ env, output })
  const { database } = storage
  const id = secret === undefined ? given! : await findTokenBySecret(database.read, secret)
  const team = id && (await findTeamOfToken(database.read, id))
  // What was given is not repeated: it may be a secret.
  if (!team) {
    throw new CommandFailure(
      secret === undefined ? NO_SUCH_ID : 'There is no token with that secret here: nothing is to be done.',
    )
  }
  const reason = secret === undefined ? undefined : 'leaked'
  await changeTeam(database, team.key, (change) => revokeToken(change, id, reason))
  const token = (await listTokens(database.read, team.key)).find((token) => token.id === id)!
  await output.data({ ...showToken(token), team: team.id }, () => token.id)
  output.message(`The token "${printable(token.name)}" of team "${printable(team.name)}" is revoked.`)
}

/** The maximum input, which has room for a secret with what an editor adds to it. */
const MAX_INPUT_CHARACTERS = 1000

/** A secret from stdin: not an argument, since every user of the machine can read those. */
async function readSecret(): Promise<string> {
  let text = ''
  for await (const piece of stdin.setEncoding('utf8')) {
    text += piece
    if (text.length > MAX_INPUT_CHARACTERS) break
  }
  const secret = text.trim()
  if (!looksLikeToken(secret)) {
    throw new CommandFailure(
      'What was read has not the form of an API token: mdw_ and 39 more letters and digits, and nothing else.',
    )
  }
  return secret
}

/** `meadow-server token replace` */
export const tokenReplace: Declaration = {
  name: 'replace',
  description: 'Create a token like another one, which goes on for some hours, and print its secret once.',
  arguments: { '<id>': 'The id of the token, as "meadow-server token list" shows it.' },
  options: {
    '--overlap <hours>': {
      says: 'For how long the old token goes on, in hours.',
      choices: TOKEN_OVERLAPS.map(String),
      default: '24',
    },
  },
  examples: [
    'meadow-server token replace <ID>',
    'TOKEN=$(meadow-server token replace <ID> --overlap 168)',
    'meadow-server token replace <ID> --overlap 0 --json',
  ],
  run: runTokenReplace,
}

async function runTokenReplace(
  { env, output }: CommandContext,
  id: string,
  { overlap }: { overlap: string },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database } = storage
  const team = await findTeamOfToken(database.read, id)
  if (!team) throw new CommandFailure(NO_SUCH_ID)
  const hours = Number(overlap) as TokenOverlap
  const replacement = await changeTeam(database, team.key, (change) => replaceToken(change, id, hours))
  const { token, secret } = replacement!
  await output.data({ token: secret, ...showToken(token), replaces: id }, () => secret)
  const old = hours === 0 ? 'has ended' : `ends in ${formatCountOf(hours, 'hour')} at the latest`
  output.message(
    `The token "${printable(token.name)}" (${token.id}) of team "${printable(team.name)}" takes the place of ${id}, ` +
      `which ${old}. Keep its secret, printed above, in a safe place: it is not shown again.`,
  )
}

/** A token as `--json` shows it: all but its secret. */
const showToken = (token: TokenRecord, now = Date.now()) => ({
  id: token.id,
  name: token.name,
  kind: token.kind,
  hint: token.hint,
  scopes: token.scopes,
  folders: token.folders,
  addresses: token.addresses,
  origins: token.origins,
  state: stateOf(token, now),
  createdAt: showTime(token.createdAt),
  lastUsedAt: showTime(token.lastUsedAt),
  lastUsedFrom: token.lastUsedFrom,
  expiresAt: showTime(token.expiresAt),
  revokedAt: showTime(token.revokedAt),
  endReason: token.endReason,
  replacedBy: token.replacedBy,
})

const showTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

function stateOf({ revokedAt, expiresAt }: TokenRecord, now: number): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid'
}

/** Collects the networks of an option that may be repeated. */
export function collectNetworks(text: string, before: string[] = []): string[] {
  if (!isNetwork(text))
    throw new InvalidArgumentError(
      'It must be an IP address, or a network such as 10.0.0.0/8 or 2001:db8::/32.',
    )
  return [...before, text.toLowerCase()]
}

function collectOrigins(text: string, before: string[] = []): string[] {
  const origin = readOrigin(text)
  if (origin === undefined)
    throw new InvalidArgumentError(
      'It must be an origin such as https://dashboard.example.org or http://localhost:5173, without a path, or null.',
    )
  return [...before, origin]
}

const DAYS = /^(\d{1,4})d$/

/** A calendar day, or a moment with an offset or in UTC. */
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?$/

/**
 * Returns when a token expires, in milliseconds since 1970, or `never`, because commander makes text of null. A day
 * alone means its first moment in UTC, no offset means UTC.
 */
export function readExpiry(text: string, now = Date.now()): number | 'never' {
  if (text === 'never') return text
  const days = Number(DAYS.exec(text)?.[1])
  if (days >= 1 && days <= MAX_TOKEN_DAYS) return now + days * DAY_MS
  const parts = MOMENT.exec(text)
  if (!parts || Number(parts[3]) < 1 || Number(parts[3]) > daysInMonth(Number(parts[1]), Number(parts[2]))) {
    throw new InvalidArgumentError(
      'It must be a date such as 2030-01-31 or 2030-01-31T18:00Z, a number of days such as 30d, or never.',
    )
  }
  const time = Date.parse(parts[4] && !parts[8] ? `${text}Z` : text)
  if (time <= now) throw new InvalidArgumentError('It must be in the future.')
  return time
}

/** Returns 0 when there is no such month. */
const daysInMonth = (year: number, month: number): number =>
  month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
