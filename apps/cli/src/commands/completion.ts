import { FILES, type NameSources } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { ASK_COMMAND, COMPLETION_SCRIPTS, FILES_LINE, SHELLS, type Shell } from '../completion/scripts.ts'
import { findConfigFile, readProfiles } from '../config/profiles.ts'
import { findFolderByPath } from '../find/find-folder.ts'

/** `meadow completion` prints the script for a shell. */
export const completionCommand: Command = {
  name: 'completion',
  description: 'Print the script that completes commands, options and the names of documents in a shell.',
  arguments: { '<shell>': { says: 'The shell.', choices: SHELLS } },
  examples: [
    `echo 'eval "$(meadow completion bash)"' >> ~/.bashrc`,
    `echo 'eval "$(meadow completion zsh)"' >> ~/.zshrc`,
    'meadow completion fish > ~/.config/fish/completions/meadow.fish',
  ],
  run: printScript,
}

async function printScript({ output }: CommandContext, shell: Shell): Promise<void> {
  const script = COMPLETION_SCRIPTS[shell]
  await output.data({ shell, script }, () => script.trimEnd())
}

/** The command that the scripts run; it is not meant for people. */
export const askCommand: Command = {
  name: ASK_COMMAND,
  arguments: { '[word...]': '' },
  isHidden: true,
  takesUnknownOptions: true,
  run: answerShell,
}

/** The deadline for the service in milliseconds. Whoever waits longer presses Ctrl-C. */
const TIMEOUT_MS = 10_000

async function answerShell(context: CommandContext, words: readonly string[], _: object): Promise<void> {
  const { output } = context
  const found = await context.complete(words, createNameSources(context))
  if (found === FILES) return output.write(`${FILES_LINE}\n`)
  const lines = found.map(({ value, description }) =>
    // A name with a line break cannot be completed.
    /[\r\n\t]/.test(value) ? '' : `${value}\t${description.split(/[.:\n]/)[0]}\n`,
  )
  output.write(lines.join(''))
}

function createNameSources(context: CommandContext): NameSources {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const quietly = async (find: () => Promise<string[]>) => find().catch(() => [])
  return {
    document: (prefix) =>
      quietly(async () => {
        const meadow = await context.openMeadow(0)
        const inFolder = await listFolder(context, prefix, signal)
        if (inFolder) return [...inFolder.folders.map((name) => `${name}/`), ...inFolder.documents]
        const { documents } = await meadow.searchDocuments({ q: prefix, signal })
        return documents.map(({ name }) => name)
      }),
    folder: (prefix) =>
      quietly(async () => {
        const found = await listFolder(context, prefix.includes('/') ? prefix : `/${prefix}`, signal)
        return found?.folders ?? []
      }),
    profile: () => quietly(async () => Object.keys((await readProfiles(findConfigFile(context))).profiles)),
  }
}

/** Lists the paths of everything in the folder at the beginning of a path; undefined for a text that is not a path. */
async function listFolder(context: CommandContext, text: string, signal: AbortSignal) {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return undefined
  const meadow = await context.openMeadow(0)
  const names = text
    .slice(0, slash)
    .split('/')
    .filter((name) => name !== '')
  const folder = await findFolderByPath(meadow, names, signal)
  const toPath = ({ name }: { name: string }) => [...names, name].join('/')
  return folder && { folders: folder.folders.map(toPath), documents: folder.documents.map(toPath) }
}
