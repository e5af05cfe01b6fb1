import { type Environment, UsageFailure } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { type Driver, runDriver } from '../git/drivers.ts'
import {
  type Change,
  type InstallOptions,
  installDrivers,
  type Place,
  readStatus,
  uninstallDrivers,
} from '../git/settings.ts'

interface PlaceOptions {
  global?: true
}

const FOR_USER = 'For all repositories of this user instead of the one of this folder.'

const installCommand: Command = {
  name: 'install',
  description:
    'Set git up to show .gh and .ghx files as text in diffs, and to merge them fact by fact. Settings of others ' +
    'are left alone; a second time it changes nothing.',
  options: { '--global': FOR_USER, '--force': 'Replace other settings for these files.' },
  examples: ['meadow git install', 'meadow git install --global'],
  run: install,
}

const resolveCommand: Command = {
  name: 'resolve',
  description:
    'Merge a file that git left in conflict, and take one side of the facts that both sides changed.',
  arguments: { '<file>': 'The .gh or .ghx file.' },
  options: { '--ours': 'Keep our facts.', '--theirs': 'Take their facts.' },
  examples: ['meadow git resolve --theirs Tower.gh && git add Tower.gh'],
  run: resolve,
}

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
const driverCommand = (driver: Driver, operands: Record<string, string>): Command => ({
  name: driver,
  description: DRIVER_HELP[driver].description,
  arguments: operands,
  examples: [DRIVER_HELP[driver].example],
  run: async (context: CommandContext, ...words: (string | undefined)[]) => {
    const args = words.filter((word) => typeof word === 'string')
    context.endWith(await runDriver(driver, args, context))
  },
})

/** `meadow git` sets up git for definitions. */
export const gitCommand: Command = {
  name: 'git',
  description: 'Let git show and merge definitions of Grasshopper. Needs neither a service nor a token.',
  examples: ['meadow git install', 'meadow git resolve --theirs Tower.gh && git add Tower.gh'],
  commands: [
    installCommand,
    {
      name: 'uninstall',
      description: 'Remove what install has set, and nothing else.',
      options: { '--global': FOR_USER },
      examples: ['meadow git uninstall'],
      run: uninstall,
    },
    {
      name: 'status',
      description: 'Show what is set up, in the repository of this folder and for this user.',
      examples: ['meadow git status'],
      run: showStatus,
    },
    resolveCommand,
    driverCommand('textconv', { '<file>': '' }),
    driverCommand('merge', { '<base>': '', '<ours>': '', '<theirs>': '', '[path]': '' }),
  ],
}

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
  output.data(
    { changes },
    {
      table: {
        columns: ['change', 'what', 'value'],
        rows: changes.map(({ change, what, value }) => [change, what, value]),
      },
      text: () =>
        changes.map(({ change, what, value }) => `${change.padEnd(9)} ${what} = ${value}`).join('\n') || none,
    },
  )

async function showStatus({ output, env }: CommandContext): Promise<void> {
  const local = await readStatus(surroundingOf(env), 'local').catch((error) => {
    if (error instanceof UsageFailure) return undefined
    throw error
  })
  const all = [local, await readStatus(surroundingOf(env), 'global')].filter((status) => status !== undefined)
  const mark = (is: boolean) => (is ? 'yes' : 'no')
  await output.data(
    { places: all },
    {
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
    },
  )
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
  await output.data(
    { file, side, conflicts },
    {
      table: { columns: ['where', 'what'], rows: conflicts.map(({ where, what }) => [where, what]) },
      text: () =>
        [
          ...conflicts.map(({ where, what }) => `${where}: ${what}`),
          `Took ${side} for these, and merged everything else. Next: git add "${file}"`,
        ].join('\n'),
    },
  )
}
