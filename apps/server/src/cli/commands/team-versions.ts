import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  InvalidArgumentError,
} from '@meadow/command'
import type { VersionPolicy } from '@meadow/contract/web'
import { changeTeam } from '../../team/team-transaction.ts'
import { readVersionPolicy, setVersionPolicy, VersionPolicyError } from '../../team/teams.ts'
import { getTeam, openStorage } from '../storage.ts'

/** `meadow-server team versions` */
export const teamVersions: Declaration = {
  name: 'versions',
  summary: 'Print or choose for how long a team keeps versions.',
  description:
    'Print or choose for how long a team keeps versions of its documents: all of them, then the last of each day, then the ' +
    'last of each week. Versions with a name or a pin stay.',
  arguments: { '<id>': 'The id of the team.' },
  options: {
    '--all-days <days>': { says: 'All versions for so many days; "none" for ever.', read: readDays },
    '--daily-days <days>': {
      says: 'The last of each day for so many days; "none" for ever.',
      read: readDays,
    },
    '--weekly-days <days>': {
      says: 'The last of each week for so many days; "none" for ever.',
      read: readDays,
    },
  },
  examples: [
    'meadow-server team versions <ID>',
    'meadow-server team versions <ID> --all-days 7 --daily-days 90 --weekly-days none',
  ],
  run: runTeamVersions,
}

type Days = number | 'none'

function readDays(text: string): Days {
  if (text === 'none') return text
  if (!/^\d{1,5}$/.test(text) || Number(text) > 36_500)
    throw new InvalidArgumentError('It must be a number of days up to 36500, or "none".')
  return Number(text)
}

const toDays = (days: Days): number | null => (days === 'none' ? null : days)

async function runTeamVersions(
  { env, output }: CommandContext,
  id: string,
  { allDays, dailyDays, weeklyDays }: Partial<Record<keyof VersionPolicy, Days>>,
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { key } = await getTeam(storage.database, id)
  const given = Object.entries({ allDays, dailyDays, weeklyDays }).flatMap(([name, days]) =>
    days === undefined ? [] : [[name, toDays(days)] as const],
  )
  if (given.length > 0)
    await changeTeam(storage.database, key, (change) =>
      setVersionPolicy(change, Object.fromEntries(given)),
    ).catch((error: unknown) => {
      throw error instanceof VersionPolicyError ? new CommandFailure(error.message) : error
    })
  const policy = await readVersionPolicy(storage.database.read, key)
  const of = (days: number | null) => (days === null ? 'for ever' : `for ${formatCount(days)} days`)
  await output.data({ id, ...policy }, () =>
    [
      `All versions: ${of(policy.allDays)}.`,
      `The last of each day: ${of(policy.dailyDays)}.`,
      `The last of each week: ${of(policy.weeklyDays)}.`,
    ].join('\n'),
  )
}
