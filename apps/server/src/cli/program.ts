import { Command } from 'commander'
import { VARIABLES } from '../config.ts'
import { VERSION } from '../platform/version.ts'
import type { StartCommand } from './command-context.ts'
import { auditLibraryCommand } from './commands/audit-library.ts'
import { backup } from './commands/backup.ts'
import { blobsAdopt, blobsMove, blobsStatus } from './commands/blobs.ts'
import { computeCheck } from './commands/compute.ts'
import { doctor } from './commands/doctor.ts'
import { documentShare } from './commands/documents.ts'
import { exportFile } from './commands/export.ts'
import { importFiles } from './commands/import.ts'
import { mirrorAdd, mirrorList, mirrorRemove, mirrorRun } from './commands/mirrors.ts'
import { restoreBackup } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { linksRotateKey, sessionCreate, sessionRevoke } from './commands/sessions.ts'
import { solve } from './commands/solve.ts'
import {
  teamCreate,
  teamCredits,
  teamHost,
  teamLimits,
  teamList,
  teamSolver,
  teamUnits,
} from './commands/teams.ts'
import { tokenCreate, tokenList, tokenRevoke } from './commands/tokens.ts'
import { userAdd, userCreate, userList, userRemove, userSetPassword } from './commands/users.ts'
import { work } from './commands/work.ts'
import { examples } from './help.ts'

/** The program with all its commands, each of which runs through `start`. */
export function createProgram(start: StartCommand): Command {
  return new Command('meadow-server')
    .description("Runs Meadow and keeps its teams, tokens and documents: the operator's command.")
    .version(VERSION, '--version', 'Print the version.')
    .option('--json', 'Print data as JSON.')
    .addCommand(serve(start))
    .addCommand(
      new Command('team')
        .description('Teams.')
        .addCommand(teamCreate(start))
        .addCommand(teamList(start))
        .addCommand(teamHost(start))
        .addCommand(teamCredits(start))
        .addCommand(teamLimits(start))
        .addCommand(teamSolver(start))
        .addCommand(teamUnits(start)),
    )
    .addCommand(
      new Command('token')
        .description('API tokens.')
        .addCommand(tokenCreate(start))
        .addCommand(tokenList(start))
        .addCommand(tokenRevoke(start)),
    )
    .addCommand(
      new Command('user')
        .description('People, and the teams that they are members of.')
        .addCommand(userCreate(start))
        .addCommand(userList(start))
        .addCommand(userAdd(start))
        .addCommand(userRemove(start))
        .addCommand(userSetPassword(start)),
    )
    .addCommand(
      new Command('session')
        .description('Sessions of signed-in people.')
        .addCommand(sessionCreate(start))
        .addCommand(sessionRevoke(start)),
    )
    .addCommand(new Command('links').description('Links to exports.').addCommand(linksRotateKey(start)))
    .addCommand(
      new Command('compute')
        .description('The Rhino.Compute server that solves what Meadow cannot.')
        .addCommand(computeCheck(start)),
    )
    .addCommand(new Command('document').description('Documents.').addCommand(documentShare(start)))
    .addCommand(importFiles(start))
    .addCommand(
      new Command('mirror')
        .description('Folders on this machine that are imported again and again.')
        .addCommand(mirrorAdd(start))
        .addCommand(mirrorList(start))
        .addCommand(mirrorRemove(start))
        .addCommand(mirrorRun(start)),
    )
    .addCommand(doctor(start))
    .addCommand(exportFile(start))
    .addCommand(
      new Command('blobs')
        .description('The files of the service, and the store that they are in.')
        .addCommand(blobsMove(start))
        .addCommand(blobsStatus(start))
        .addCommand(blobsAdopt(start)),
    )
    .addCommand(auditLibraryCommand(start))
    .addCommand(backup(start))
    .addCommand(restoreBackup(start))
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

Data go to stdout, messages to stderr. Exit codes: 0 done, 1 not done or not wholly, 2 called wrongly,
3 a limit of the team was reached, 130 stopped by Ctrl-C, 143 by SIGTERM.`
}
