import type { VersionPolicy } from '@meadow/contract/web'
import { Command, InvalidArgumentError } from 'commander'
import { changeTeam } from '../../team/team-transaction.ts'
import { readVersionPolicy, setVersionPolicy, VersionPolicyError } from '../../team/teams.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure } from '../failure.ts'
import { examples } from '../help.ts'
import { formatCount } from '../output/format.ts'
import { getTeam, openStorage } from '../storage.ts'

/** `meadow-server team versions` */
export const teamVersions = (start: StartCommand): Command =>
  new Command('versions')
    .summary('Print or choose for how long a team keeps versions.')
    .description(
      'Print or choose for how long a team keeps versions of its documents: all of them, then the last of each day, then the ' +
        'last of each week. Versions with a name or a pin stay.',
    )
    .argument('<id>', 'The id of the team.')
    .option('--all-days <days>', 'All versions for so many days; "none" for ever.', readDays)
    .option('--daily-days <days>', 'The last of each day for so many days; "none" for ever.', readDays)
    .option('--weekly-days <days>', 'The last of each week for so many days; "none" for ever.', readDays)
    .action(start(runTeamVersions))
    .addHelpText(
      'after',
      examples(
        'meadow-server team versions <ID>',
        'meadow-server team versions <ID> --all-days 7 --daily-days 90 --weekly-days none',
      ),
    )

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
  output.data({ id, ...policy }, () =>
    [
      `All versions: ${of(policy.allDays)}.`,
      `The last of each day: ${of(policy.dailyDays)}.`,
      `The last of each week: ${of(policy.weeklyDays)}.`,
    ].join('\n'),
  )
}
