import { Command } from 'commander'
import type { CommandContext, Environment, StartCommand } from '../command-context.ts'
import { UsageFailure } from '../failure.ts'
import { type Driver, runDriver } from '../git/drivers.ts'
import {
  type Change,
  type InstallOptions,
  installDrivers,
  type Place,
  readStatus,
  uninstallDrivers,
} from '../git/settings.ts'
import { withExamples } from '../help.ts'

interface PlaceOptions {
  global?: true
}

/** `meadow git` sets up git for definitions. */
export const gitCommand = (start: StartCommand): Command =>
  withExamples(
    new Command('git')
      .description('Let git show and merge definitions of Grasshopper. Needs neither a service nor a token.')
      .addCommand(installCommand(start))
      .addCommand(
        withExamples(
          new Command('uninstall')
            .description('Remove what install has set, and nothing else.')
            .option('--global', FOR_USER)
            .action(start(uninstall)),
          'meadow git uninstall',
        ),
      )
      .addCommand(
        withExamples(
          new Command('status')
            .description('Show what is set up, in the repository of this folder and for this user.')
            .action(start(showStatus)),
          'meadow git status',
        ),
      )
      .addCommand(resolveCommand(start))
      .addCommand(driverCommand(start, 'textconv', '<file>'))
      .addCommand(driverCommand(start, 'merge', '<base> <ours> <theirs> [path]')),
    'meadow git install',
    'meadow git resolve --theirs Tower.gh && git add Tower.gh',
  )

const FOR_USER = 'For all repositories of this user instead of the one of this folder.'

const installCommand = (start: StartCommand): Command =>
  withExamples(
    new Command('install')
      .description(
        'Set git up to show .gh and .ghx files as text in diffs, and to merge them fact by fact. Settings of others ' +
          'are left alone; a second time it changes nothing.',
      )
      .option('--global', FOR_USER)
      .option('--force', 'Replace other settings for these files.')
      .action(start(install)),
    'meadow git install',
    'meadow git install --global',
  )

const resolveCommand = (start: StartCommand): Command =>
  withExamples(
    new Command('resolve')
      .description(
        'Merge a file that git left in conflict, and take one side of the facts that both sides changed.',
      )
      .argument('<file>', 'The .gh or .ghx file.')
      .option('--ours', 'Keep our facts.')
      .option('--theirs', 'Take their facts.')
      .action(start(resolve)),
    'meadow git resolve --theirs Tower.gh && git add Tower.gh',
  )

const DRIVER_HELP: Record<Driver, { description: string; example: string }> = {
  textconv: {
    description: 'Print the text that git compares; git calls it.',
    example: 'meadow git textconv Tower.gh | less',
  },
  merge: {
    description:
      'Merge three files into the second one; git calls it. With conflicts the second one stays as it is, a list of them ' +
      'is written beside the path, and the exit code is 1.',
    example: 'meadow git merge base.gh ours.gh theirs.gh',
  },
}

/**
 * Creates the command of a driver. Git itself does not use it: main.ts runs drivers without loading the other commands.
 */
const driverCommand = (start: StartCommand, driver: Driver, words: string): Command =>
  withExamples(
    new Command(driver)
      .description(DRIVER_HELP[driver].description)
      .arguments(words)
      .action(
        start(async (context: CommandContext, ...words: (string | undefined)[]) => {
          const args = words.filter((word) => typeof word === 'string')
          context.endWith(await runDriver(driver, args, context))
        }),
      ),
    DRIVER_HELP[driver].example,
  )

const surroundingOf = (env: Environment) => ({ cwd: process.cwd(), env })

const placeOf = ({ global }: PlaceOptions): Place => (global ? 'global' : 'local')

async function install(
  { output, env }: CommandContext,
  options: PlaceOptions & { force?: true },
): Promise<void> {
  const wanted: InstallOptions = {
    place: placeOf(options),
    isForced: options.force === true,
  }
  const changes = await installDrivers(surroundingOf(env), wanted)
  await answer(output, changes, 'Nothing to do.')
  if (changes.every(({ change }) => change === 'unchanged')) return
  if (wanted.place === 'local')
    output.message('Commit .gitattributes. Whoever else works here runs "meadow git install" once, too.')
}

async function uninstall({ output, env }: CommandContext, options: PlaceOptions): Promise<void> {
  const changes = await uninstallDrivers(surroundingOf(env), placeOf(options))
  await answer(output, changes, 'Nothing was installed.')
}

const answer = (output: CommandContext['output'], changes: Change[], none: string): Promise<void> =>
  output.answer({
    json: { changes },
    table: {
      columns: ['change', 'what', 'value'],
      rows: changes.map(({ change, what, value }) => [change, what, value]),
    },
    text: () =>
      changes.map(({ change, what, value }) => `${change.padEnd(9)} ${what} = ${value}`).join('\n') || none,
  })

async function showStatus({ output, env }: CommandContext): Promise<void> {
  const local = await readStatus(surroundingOf(env), 'local').catch((error) => {
    if (error instanceof UsageFailure) return undefined
    throw error
  })
  const all = [local, await readStatus(surroundingOf(env), 'global')].filter((status) => status !== undefined)
  const mark = (is: boolean) => (is ? 'yes' : 'no')
  await output.answer({
    json: { places: all },
    table: {
      columns: ['place', 'diff', 'merge', 'this command', 'attributes'],
      rows: all.map((one) => [
        one.place,
        mark(one.diff),
        mark(one.merge),
        mark(one.isThisCommand),
        one.attributesFile,
      ]),
    },
  })
}

async function resolve(
  { output }: CommandContext,
  file: string,
  { ours, theirs }: { ours?: true; theirs?: true },
): Promise<void> {
  if (ours === theirs)
    throw new UsageFailure('Say which side to take where both changed the same: --ours or --theirs.')
  const { resolveConflict } = await import('../git/resolve.ts')
  const side = ours ? 'ours' : 'theirs'
  const conflicts = await resolveConflict(file, side)
  await output.answer({
    json: { file, side, conflicts },
    table: { columns: ['where', 'what'], rows: conflicts.map(({ where, what }) => [where, what]) },
    text: () =>
      [
        ...conflicts.map(({ where, what }) => `${where}: ${what}`),
        `Took ${side} for these, and merged everything else. Next: git add "${file}"`,
      ].join('\n'),
  })
}
