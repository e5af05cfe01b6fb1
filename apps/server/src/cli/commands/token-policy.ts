import {
  type CommandContext,
  type Declaration,
  formatCountOf,
  InvalidArgumentError,
  printable,
  UsageFailure,
} from '@meadow/command'
import { ALL_SCOPES, MAX_TOKEN_DAYS, type Scope } from '@meadow/contract/terms'
import {
  readTokenPolicy,
  setTokenPolicy,
  type TokenPolicy,
  type TokenPolicyEffect,
} from '../../access/token-policy.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { getTeam, openStorage } from '../storage.ts'
import { collectNetworks } from './tokens.ts'

/** `meadow-server token policy` */
export const tokenPolicy: Declaration = {
  name: 'policy',
  description: 'Show or change what a team allows its API tokens, those that exist included.',
  options: {
    '--team <id>': { says: 'The team.', isRequired: true },
    '--longest-life <days>': {
      says: 'The longest life of a token in days, or none for any.',
      read: readLongestDays,
    },
    '--scope <scope...>': { says: 'A scope that tokens may have; repeat for more.', choices: ALL_SCOPES },
    '--all-scopes': 'Tokens may have every scope.',
    '--address <network...>': { says: 'Where tokens work; repeat for more.', read: collectNetworks },
    '--any-address': 'Tokens work from anywhere.',
  },
  examples: [
    'meadow-server token policy --team <ID>',
    'meadow-server token policy --team <ID> --longest-life 90 --address 10.0.0.0/8 --address 2001:db8::/32',
    'meadow-server token policy --team <ID> --longest-life none --all-scopes --any-address',
  ],
  run: runTokenPolicy,
}

interface TokenPolicyOptions {
  team: string
  longestLife?: number | 'none'
  scope?: Scope[]
  allScopes?: true
  address?: string[]
  anyAddress?: true
}

async function runTokenPolicy({ env, output }: CommandContext, options: TokenPolicyOptions): Promise<void> {
  const { longestLife, scope, allScopes, address, anyAddress } = options
  if (scope && allScopes) throw new UsageFailure('Give --scope or --all-scopes, not both.')
  if (address && anyAddress) throw new UsageFailure('Give --address or --any-address, not both.')
  const scopes = allScopes ? ALL_SCOPES : scope
  const addresses = anyAddress ? [] : address
  const changes: Partial<TokenPolicy> = {
    ...(longestLife !== undefined && { longestDays: longestLife === 'none' ? null : longestLife }),
    ...(scopes && { scopes }),
    ...(addresses && { addresses }),
  }
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, options.team)
  if (Object.keys(changes).length === 0) {
    const policy = await readTokenPolicy(storage.database.read, team.key)
    return output.data({ team: team.id, ...policy }, () => describePolicy(policy))
  }
  const { policy, effect } = await changeTeam(storage.database, team.key, (change) =>
    setTokenPolicy(change, changes),
  )
  await output.data({ team: team.id, ...policy, effect }, () => describePolicy(policy))
  output.message(`The policy of team "${printable(team.name)}" holds from now on. ${describeEffect(effect)}`)
}

const describePolicy = ({ longestDays, scopes, addresses }: TokenPolicy): string =>
  [
    `longest life  ${longestDays === null ? 'any' : formatCountOf(longestDays, 'day')}`,
    `scopes        ${scopes.join(' ')}`,
    `addresses     ${addresses.join(' ') || 'any'}`,
  ].join('\n')

function describeEffect({ shortened, narrowed, ended }: TokenPolicyEffect): string {
  const parts = [
    shortened > 0 && `${formatCountOf(shortened, 'token')} got an earlier end`,
    narrowed > 0 && `${formatCountOf(narrowed, 'token')} lost scopes`,
    ended > 0 && `${formatCountOf(ended, 'token')} ended`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'No token changed.' : `${parts.join(', ')}.`
}

function readLongestDays(text: string): number | 'none' {
  if (text === 'none') return text
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > MAX_TOKEN_DAYS)
    throw new InvalidArgumentError(`It must be a number of days from 1 to ${MAX_TOKEN_DAYS}, or none.`)
  return days
}
