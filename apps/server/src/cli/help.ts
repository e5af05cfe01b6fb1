import { Command } from 'commander'
import { UsageFailure } from './failure.ts'

/** `meadow-server help`, and the same of a command with commands below it. */
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

/** As it is called: `meadow-server token create`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/** The part of a command's help that shows how it is called; `<ID>` stands for what the reader puts in. */
export const examples = (...calls: string[]): string =>
  ['', 'Examples:', ...calls.map((call) => `  $ ${call}`)].join('\n')
