import { CommandFailure, type Declaration, runProgram, type Surroundings } from '@meadow/command'
import { runAsOperator } from '../audit/run-as-operator.ts'
import { VARIABLES } from '../config/variables.ts'
import { reasonOf } from '../platform/system-errors.ts'
import { VERSION } from '../platform/version.ts'
import { sentenceOf } from './failure.ts'

/** The commands. Each is loaded alone: all of them together take most of a second. */
const COMMANDS: readonly Declaration[] = [
  {
    name: 'serve',
    summary: 'Run the service until it is told to stop.',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'team',
    summary: 'Teams.',
    load: async () => {
      const { teamCreate, teamList, teamHost, teamCredits, teamLimits, teamSolver, teamUnits, teamPublic } =
        await import('./commands/teams.ts')
      const { teamDelete, teamRestore, teamDeletions } = await import('./commands/deletion.ts')
      const { teamVersions } = await import('./commands/team-versions.ts')
      return [
        ...[teamCreate, teamList, teamHost, teamCredits, teamLimits, teamSolver, teamUnits, teamPublic],
        ...[teamVersions, teamDelete, teamRestore, teamDeletions],
      ]
    },
  },
  {
    name: 'token',
    summary: 'API tokens.',
    load: async () => {
      const { tokenCreate, tokenList, tokenReplace, tokenRevoke } = await import('./commands/tokens.ts')
      const { tokenPolicy } = await import('./commands/token-policy.ts')
      return [tokenCreate, tokenList, tokenReplace, tokenRevoke, tokenPolicy]
    },
  },
  {
    name: 'user',
    summary: 'People, and the teams that they are members of.',
    load: async () => {
      const users = await import('./commands/users.ts')
      const { userDelete } = await import('./commands/deletion.ts')
      return [
        users.userCreate,
        users.userList,
        users.userAdd,
        users.userRemove,
        users.userConfirm,
        users.userSetPassword,
        users.userResetPassword,
        users.userResetFactors,
        userDelete,
      ]
    },
  },
  {
    name: 'session',
    summary: 'Sessions of signed-in people.',
    load: async () => {
      const { sessionCreate, sessionRevoke } = await import('./commands/sessions.ts')
      return [sessionCreate, sessionRevoke]
    },
  },
  {
    name: 'mail',
    summary: 'Mails that the service sends.',
    load: async () => {
      const { mailTest, mailList } = await import('./commands/mail.ts')
      return [mailTest, mailList]
    },
  },
  {
    name: 'webhooks',
    summary: 'Where teams are told of events, and what was delivered.',
    load: async () => {
      const webhooks = await import('./commands/webhooks.ts')
      const { webhooksList, webhooksLog, webhooksReplay, webhooksLimit, webhooksDisable } = webhooks
      return [webhooksList, webhooksLog, webhooksReplay, webhooksLimit, webhooksDisable]
    },
  },
  {
    name: 'links',
    summary: 'Links to exports.',
    load: async () => [(await import('./commands/sessions.ts')).linksRotateKey],
  },
  {
    name: 'compute',
    summary: 'The Rhino.Compute server that solves what Meadow cannot.',
    load: async () => [(await import('./commands/compute.ts')).computeCheck],
  },
  {
    name: 'document',
    summary: 'Documents.',
    load: async () => [(await import('./commands/documents.ts')).documentShare],
  },
  {
    name: 'versions',
    summary: 'Versions of documents.',
    load: async () => {
      const versions = await import('./commands/versions.ts')
      const { versionsList, versionsShow, versionsName, versionsPin, versionsRestore } = versions
      return [versionsList, versionsShow, versionsName, versionsPin, versionsRestore]
    },
  },
  {
    name: 'import',
    summary: 'Import Grasshopper definitions, and the models beside them.',
    load: async () => (await import('./commands/import.ts')).importFiles,
  },
  {
    name: 'mirror',
    summary: 'Folders on this machine that are imported again and again.',
    load: async () => {
      const { mirrorAdd, mirrorList, mirrorRemove, mirrorRun } = await import('./commands/mirrors.ts')
      return [mirrorAdd, mirrorList, mirrorRemove, mirrorRun]
    },
  },
  {
    name: 'doctor',
    summary: 'Examine the service, and say what is wrong and what to do.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'export',
    summary: 'Write a document, or its solution, to a file.',
    load: async () => (await import('./commands/export.ts')).exportFile,
  },
  {
    name: 'blobs',
    summary: 'The files of the service, and the store that they are in.',
    load: async () => {
      const { blobsMove, blobsStatus, blobsAdopt } = await import('./commands/blobs.ts')
      return [blobsMove, blobsStatus, blobsAdopt]
    },
  },
  {
    name: 'audit',
    summary: 'Who did what: the audit log.',
    load: async () => {
      const { auditList, auditReads, auditVerify, auditExport } = await import('./commands/audit.ts')
      return [auditList, auditReads, auditVerify, auditExport]
    },
  },
  {
    name: 'audit-library',
    summary: "Report what a team's documents use, and what is wrong with them.",
    load: async () => (await import('./commands/audit-library.ts')).auditLibraryCommand,
  },
  {
    name: 'backup',
    summary: 'Save the service as it is now, while it runs.',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Make an empty service what a backup saved.',
    load: async () => (await import('./commands/restore.ts')).restoreBackup,
  },
  {
    name: 'solve',
    summary: 'Ask for solves of documents.',
    load: async () => (await import('./commands/solve.ts')).solve,
  },
  {
    name: 'work',
    summary: 'Solve what is asked for, and nothing else.',
    load: async () => (await import('./commands/work.ts')).work,
  },
]

const ROOT: Declaration = {
  name: 'meadow-server',
  description: "Runs Meadow and keeps its teams, tokens and documents: the operator's command.",
  options: { '--json': 'Print data as JSON.' },
  examples: [
    'meadow-server team create "Facades"',
    'meadow-server token create --team <ID> --name "Nightly report"',
    'meadow-server import ./definitions --team <ID>',
    'meadow-server solve --team <ID> --all --wait',
    'meadow-server serve',
  ],
  remarks: describeVariables(),
  commands: COMMANDS,
}

/**
 * Runs `meadow-server` with these arguments and returns the exit code: 0 done, 1 failed or done in part, 2 called incorrectly,
 * 3 a limit of the team was reached, 130 stopped by Ctrl-C, 143 by SIGTERM. Never throws.
 */
export const runCommand = (args: readonly string[], surroundings: Surroundings): Promise<number> =>
  runProgram(
    {
      version: VERSION,
      root: ROOT,
      jsonOptions: ['--json'],
      formatsOf: ({ json }: { json?: true }) => ({ isJson: json === true }),
      report: (error) => ({ error: sentenceOf(error) }),
      exitCodeOf: (error) => (error instanceof CommandFailure ? error.exitCode : 1),
      hasLongErrors: true,
      reasonOf,
      createContext: (context) => context,
      around: runAsOperator,
    },
    args,
    surroundings,
  )

function describeVariables(): string {
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
