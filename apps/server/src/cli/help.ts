import { Command } from 'commander'
import { UsageFailure } from './failure.ts'

/** Adds `help` to `meadow-server`, or to a command with commands below it. */
export function addHelp(parent: Command): void {
  const help = new Command('help')
    .description('Show help for a command.')
    .argument('[command...]', 'The command, all its words.')
    .action((words: string[]) => getCommand(parent, words).help())
  parent.helpCommand(false).addCommand(help)
}

/** The command that these words name, from `parent` on. */
function getCommand(parent: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined) return parent
  const child = parent.commands.find((command) => command.name() === word)
  if (!child) throw new UsageFailure(`Unknown command '${word}'. See "${pathOf(parent)} --help".`)
  return getCommand(child, rest)
}

/** Returns how a command is called, such as `meadow-server token create`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/** The examples in a command's help; `<ID>` is a placeholder. */
export const examples = (...calls: string[]): string =>
  ['', 'Examples:', ...calls.map((call) => `  $ ${call}`)].join('\n')
