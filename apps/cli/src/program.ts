import { VERSION } from '@meadow/client'
import { Command } from 'commander'
import type { StartCommand } from './command-context.ts'
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
import { DEFAULT_URL } from './config/connection.ts'
import { readSeconds, withExamples } from './help.ts'

/** The environment variables of the command. */
export const VARIABLES = {
  MEADOW_TOKEN: 'An API token. It comes before those of profiles.',
  MEADOW_URL: `The address of the service [the profile's; without one ${DEFAULT_URL}].`,
  MEADOW_PROFILE: 'The profile to use.',
  MEADOW_CONFIG_DIR: "The folder of profiles [meadow in the system's place for settings].",
  NO_COLOR: 'No colours, if it is not empty.',
} as const

/** Creates the program with all its commands, each of which runs through `start`. */
export function createProgram(start: StartCommand): Command {
  const program = new Command('meadow')
    .description("Reads a team's folders, documents, values and exports.")
    .version(VERSION, '--version', 'Print the version.')
    .option('--json', 'Print data as JSON.')
    .option('--jq <filter>', 'Print what a jq filter makes of the JSON.')
    .option('--csv', 'Print the table as CSV.')
    .option('--profile <profile>', 'The profile to use.')
    .option('--url <address>', 'The address of the service.')
    .option('--timeout <seconds>', 'How long a request may take with its repetitions [120].', readSeconds)
    .option('--verbose', 'Print each request to stderr.')
    .addCommand(loginCommand(start))
    .addCommand(whoamiCommand(start))
    .addCommand(logoutCommand(start))
    .addCommand(profileCommand(start))
    .addCommand(lsCommand(start))
    .addCommand(treeCommand(start))
    .addCommand(searchCommand(start))
    .addCommand(getCommand(start))
    .addCommand(valuesCommand(start))
    .addCommand(solutionCommand(start))
    .addCommand(exportCommand(start))
    .addCommand(diffCommand(start))
    .addCommand(openCommand(start))
    .addCommand(waitCommand(start))
    .addCommand(pullCommand(start))
    .addCommand(textCommand(start))
    .addCommand(gitCommand(start))
    .addCommand(checkCommand(start))
    .addCommand(apiCommand(start))
    .addCommand(mcpCommand(start))
    .addCommand(completionCommand(start))
    .addCommand(askCommand(start), { hidden: true })
  return withExamples(
    program,
    'meadow login --url https://meadow.example.org',
    'meadow ls Facades',
    'meadow values Facades/Tower --csv > tower.csv',
    'meadow export Tower --format 3dm',
    'meadow pull ./mirror --format json,csv,gh',
  ).addHelpText('after', HELP_AFTER)
}

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
