import { Command } from 'commander'
import { VARIABLES } from '../config/variables.ts'
import { VERSION } from '../platform/version.ts'
import type { StartCommand } from './command-context.ts'
import { examples } from './help.ts'

type MakeCommand = (start: StartCommand) => Command

/** A command, or a word before several: its line in the help, and what is loaded when it is called. */
interface Entry {
  says: string
  load(): Promise<MakeCommand | readonly MakeCommand[]>
}

/** The commands by their first word. Each is loaded alone: all of them together take most of a second. */
const ENTRIES: Readonly<Record<string, Entry>> = {
  serve: {
    says: 'Run the service until it is told to stop.',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  team: {
    says: 'Teams.',
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
  token: {
    says: 'API tokens.',
    load: async () => {
      const { tokenCreate, tokenList, tokenReplace, tokenRevoke } = await import('./commands/tokens.ts')
      const { tokenPolicy } = await import('./commands/token-policy.ts')
      return [tokenCreate, tokenList, tokenReplace, tokenRevoke, tokenPolicy]
    },
  },
  user: {
    says: 'People, and the teams that they are members of.',
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
  session: {
    says: 'Sessions of signed-in people.',
    load: async () => {
      const { sessionCreate, sessionRevoke } = await import('./commands/sessions.ts')
      return [sessionCreate, sessionRevoke]
    },
  },
  mail: {
    says: 'Mails that the service sends.',
    load: async () => {
      const { mailTest, mailList } = await import('./commands/mail.ts')
      return [mailTest, mailList]
    },
  },
  webhooks: {
    says: 'Where teams are told of events, and what was delivered.',
    load: async () => {
      const webhooks = await import('./commands/webhooks.ts')
      const { webhooksList, webhooksLog, webhooksReplay, webhooksLimit, webhooksDisable } = webhooks
      return [webhooksList, webhooksLog, webhooksReplay, webhooksLimit, webhooksDisable]
    },
  },
  links: {
    says: 'Links to exports.',
    load: async () => [(await import('./commands/sessions.ts')).linksRotateKey],
  },
  compute: {
    says: 'The Rhino.Compute server that solves what Meadow cannot.',
    load: async () => [(await import('./commands/compute.ts')).computeCheck],
  },
  document: {
    says: 'Documents.',
    load: async () => [(await import('./commands/documents.ts')).documentShare],
  },
  versions: {
    says: 'Versions of documents.',
    load: async () => {
      const versions = await import('./commands/versions.ts')
      const { versionsList, versionsShow, versionsName, versionsPin, versionsRestore } = versions
      return [versionsList, versionsShow, versionsName, versionsPin, versionsRestore]
    },
  },
  import: {
    says: 'Import Grasshopper definitions, and the models beside them.',
    load: async () => (await import('./commands/import.ts')).importFiles,
  },
  mirror: {
    says: 'Folders on this machine that are imported again and again.',
    load: async () => {
      const { mirrorAdd, mirrorList, mirrorRemove, mirrorRun } = await import('./commands/mirrors.ts')
      return [mirrorAdd, mirrorList, mirrorRemove, mirrorRun]
    },
  },
  doctor: {
    says: 'Examine the service, and say what is wrong and what to do.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  export: {
    says: 'Write a document, or its solution, to a file.',
    load: async () => (await import('./commands/export.ts')).exportFile,
  },
  blobs: {
    says: 'The files of the service, and the store that they are in.',
    load: async () => {
      const { blobsMove, blobsStatus, blobsAdopt } = await import('./commands/blobs.ts')
      return [blobsMove, blobsStatus, blobsAdopt]
    },
  },
  audit: {
    says: 'Who did what: the audit log.',
    load: async () => {
      const { auditList, auditReads, auditVerify, auditExport } = await import('./commands/audit.ts')
      return [auditList, auditReads, auditVerify, auditExport]
    },
  },
  'audit-library': {
    says: "Report what a team's documents use, and what is wrong with them.",
    load: async () => (await import('./commands/audit-library.ts')).auditLibraryCommand,
  },
  backup: {
    says: 'Save the service as it is now, while it runs.',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    says: 'Make an empty service what a backup saved.',
    load: async () => (await import('./commands/restore.ts')).restoreBackup,
  },
  solve: {
    says: 'Ask for solves of documents.',
    load: async () => (await import('./commands/solve.ts')).solve,
  },
  work: {
    says: 'Solve what is asked for, and nothing else.',
    load: async () => (await import('./commands/work.ts')).work,
  },
}

/**
 * The program with all its commands, each of which runs through `start`. Those that `args` do not call have their line in
 * the help and nothing else.
 */
export async function createProgram(start: StartCommand, args: readonly string[]): Promise<Command> {
  const called = findCalled(args)
  const program = new Command('meadow-server')
    .description("Runs Meadow and keeps its teams, tokens and documents: the operator's command.")
    .version(VERSION, '--version', 'Print the version.')
    .option('--json', 'Print data as JSON.')
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
  for (const [word, entry] of Object.entries(ENTRIES)) {
    program.addCommand(word === called ? await loadCommand(word, entry, start) : describe(word, entry))
  }
  return program
}

/** The first word of the command that is called, or asked about: the program itself has no options with values. */
function findCalled(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  return first === 'help' ? second : first
}

const describe = (word: string, { says }: Entry): Command => new Command(word).description(says)

async function loadCommand(word: string, entry: Entry, start: StartCommand): Promise<Command> {
  const made = await entry.load()
  if (typeof made === 'function') return made(start).summary(entry.says)
  const group = describe(word, entry)
  for (const make of made) group.addCommand(make(start))
  return group
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
