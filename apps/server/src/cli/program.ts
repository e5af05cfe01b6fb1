import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { VARIABLES } from '../config.ts'
import type { StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { importFiles } from './import.ts'
import { serve } from './serve.ts'
import { solve } from './solve.ts'
import { teamCreate } from './team-create.ts'
import { teamCredits } from './team-credits.ts'
import { teamList } from './team-list.ts'
import { tokenCreate } from './token-create.ts'
import { tokenList } from './token-list.ts'
import { tokenRevoke } from './token-revoke.ts'
import { work } from './work.ts'

/** The whole command, each part of which runs through `start`. */
export function createProgram(start: StartCommand): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return new Command('meadow-server')
    .description("Runs Meadow and keeps its teams, tokens and documents: the operator's command.")
    .version(version, '--version', 'Print the version.')
    .helpCommand('help [command]', 'Show help for a command.')
    .option('--json', 'Print data as JSON.')
    .addCommand(serve(start))
    .addCommand(
      new Command('team')
        .description('Teams.')
        .addCommand(teamCreate(start))
        .addCommand(teamList(start))
        .addCommand(teamCredits(start)),
    )
    .addCommand(
      new Command('token')
        .description('API tokens.')
        .addCommand(tokenCreate(start))
        .addCommand(tokenList(start))
        .addCommand(tokenRevoke(start)),
    )
    .addCommand(importFiles(start))
    .addCommand(solve(start))
    .addCommand(work(start))
    .addHelpText(
      'after',
      examples(
        'meadow-server team create "Facades"',
        'meadow-server token create --team <ID> --name "Nightly report"',
        'meadow-server import ./definitions --team <ID>',
        'meadow-server solve --team <ID> --all --wait',
        'meadow-server serve',
      ),
    )
    .addHelpText('after', variablesHelp())
}

function variablesHelp(): string {
  const width = Math.max(...Object.keys(VARIABLES).map((name) => name.length))
  const lines = Object.entries(VARIABLES).map(([name, variable]) => {
    const byDefault = 'default' in variable ? ` [${variable.default}]` : ''
    return `  ${name.padEnd(width)}  ${variable.says}${byDefault}`
  })
  return `
Environment:
${lines.join('\n')}

Data go to stdout, messages to stderr. Exit codes: 0 done, 1 not done or not wholly, 2 called wrongly.`
}
