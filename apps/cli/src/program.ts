import { VERSION } from '@meadow/client'
import { type CommandContext as CommonContext, type Program, runProgram } from '@meadow/command'
import type { Command, CommandContext, GlobalOptions, Surroundings } from './command-context.ts'
import { apiCommand } from './commands/api.ts'
import { checkCommand } from './commands/check.ts'
import { askCommand, completionCommand } from './commands/completion.ts'
import { diffCommand } from './commands/diff.ts'
import { exportCommand } from './commands/export.ts'
import { getCommand } from './commands/get.ts'
import { gitCommand } from './commands/git.ts'
import { loginCommand, logoutCommand, profileCommand, whoamiCommand } from './commands/login.ts'
import { lsCommand } from './commands/ls.ts'
import { mcpCommand } from './commands/mcp.ts'
import { openCommand } from './commands/open.ts'
import { pullCommand } from './commands/pull.ts'
import { searchCommand } from './commands/search.ts'
import { solutionCommand } from './commands/solution.ts'
import { textCommand } from './commands/text.ts'
import { treeCommand } from './commands/tree.ts'
import { valuesCommand } from './commands/values.ts'
import { waitCommand } from './commands/wait.ts'
import { chooseConnection, DEFAULT_URL } from './config/connection.ts'
import { createMeadow } from './config/create-meadow.ts'
import { closeToOthers, findConfigFile, readProfiles } from './config/profiles.ts'
import { exitCodeOf, reportError } from './failure.ts'
import { describeEndpoint, readSeconds } from './help.ts'
import { filterJson } from './output/jq.ts'

/** The environment variables of the command. */
export const VARIABLES = {
  MEADOW_TOKEN: 'An API token. It comes before those of profiles.',
  MEADOW_URL: `The address of the service [the profile's; without one ${DEFAULT_URL}].`,
  MEADOW_PROFILE: 'The profile to use.',
  MEADOW_CONFIG_DIR: "The folder of profiles [meadow in the system's place for settings].",
  NO_COLOR: 'No colours, if it is not empty.',
} as const

/** The exit codes, for help and the reference page. */
export const EXIT_CODE_LINES = [
  '0 done',
  '1 failed, or done in part',
  '2 called wrongly',
  '3 not allowed: no token, a wrong one, or one without the scope',
  '4 not found',
  '5 not ready: never solved, being solved, or too busy',
  '6 the solve failed',
  '130 stopped by Ctrl-C, 143 by SIGTERM',
] as const

const width = Math.max(...Object.keys(VARIABLES).map((name) => name.length))

const HELP_AFTER = `
Documents and folders are named by id, by exact name, by path (Facades/Tower), or by the address of their page.

Environment:
${Object.entries(VARIABLES)
  .map(([name, says]) => `  ${name.padEnd(width)}  ${says}`)
  .join('\n')}

Data go to stdout, messages to stderr. Exit codes:
${EXIT_CODE_LINES.map((line) => `  ${line}`).join('\n')}`

const ROOT: Command = {
  name: 'meadow',
  description: "Reads a team's folders, documents, values and exports.",
  options: {
    '--json': 'Print data as JSON.',
    '--jq <filter>': 'Print what a jq filter makes of the JSON.',
    '--csv': 'Print the table as CSV.',
    '--profile <profile>': 'The profile to use.',
    '--url <address>': 'The address of the service.',
    '--timeout <seconds>': {
      says: 'How long a request may take with its repetitions [120].',
      read: readSeconds,
    },
    '--verbose': 'Print each request to stderr.',
  },
  examples: [
    'meadow login https://meadow.example.org',
    'meadow ls Facades',
    'meadow values Facades/Tower --csv > tower.csv',
    'meadow export Tower --format 3dm',
    'meadow pull ./mirror --format json,csv,gh',
  ],
  remarks: HELP_AFTER,
  commands: [
    loginCommand,
    whoamiCommand,
    logoutCommand,
    profileCommand,
    lsCommand,
    treeCommand,
    searchCommand,
    getCommand,
    valuesCommand,
    solutionCommand,
    exportCommand,
    diffCommand,
    openCommand,
    waitCommand,
    pullCommand,
    textCommand,
    gitCommand,
    checkCommand,
    apiCommand,
    mcpCommand,
    completionCommand,
    askCommand,
  ],
}

/**
 * The time in milliseconds in which a second signal counts as the same Ctrl-C: a launcher forwards the one that the
 * terminal has sent to both.
 */
const SAME_KEY_MS = 500

/** The command `meadow`. */
export const PROGRAM: Program<Surroundings, CommandContext, GlobalOptions> = {
  version: VERSION,
  root: ROOT,
  jsonOptions: ['--json', '--jq'],
  formatsOf({ json, jq, csv, verbose }: GlobalOptions) {
    const filter = jq === undefined ? undefined : filterBy(jq)
    return {
      isJson: json === true || jq !== undefined,
      isCsv: csv,
      isVerbose: verbose,
      isFitted: true,
      filter,
    }
  },
  describeEndpoint,
  report: reportError,
  exitCodeOf,
  reasonOf: ({ message }) => message,
  sameKeyMs: SAME_KEY_MS,
  createContext,
}

const filterBy =
  (jq: string) =>
  (json: string, options: { indent: boolean }): Promise<string> =>
    filterJson(json, jq, options)

function createContext(common: Surroundings & CommonContext, options: GlobalOptions): CommandContext {
  const { signal, run } = common.watchInterrupt()
  async function connect() {
    const file = findConfigFile(common)
    if (await closeToOthers(file, common.platform))
      common.output.warning(`Others could read "${file}", which has tokens. Now only you can.`)
    return chooseConnection(await readProfiles(file), options, common.env)
  }
  return {
    ...common,
    ...{ options, signal, run, connect },
    async openMeadow(retries) {
      const { url, token } = await connect()
      return createMeadow(url, token, options, common.output, retries)
    },
  }
}

/** Runs `meadow` with these arguments and returns the exit code. Never throws. */
export const runCommand = (args: readonly string[], surroundings: Surroundings): Promise<number> =>
  runProgram(PROGRAM, args, surroundings)
