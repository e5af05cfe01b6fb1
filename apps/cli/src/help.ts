import { API_PREFIX } from '@meadow/client'
import { ENDPOINT_DESCRIPTIONS, type EndpointDescription } from '@meadow/client/endpoints'
import { Command, InvalidArgumentError, Option } from 'commander'
import { UsageFailure } from './failure.ts'

/** Adds `help` to `meadow`, or to a command with commands below it. */
export function addHelp(parent: Command): void {
  const help = new Command('help')
    .description('Show help for a command.')
    .argument('[command...]', 'The command, all its words.')
    .action((words: string[]) => getCommand(parent, words).help())
  parent.helpCommand(false).addCommand(help)
}

/** Returns the command that these words name, starting at `parent`. */
function getCommand(parent: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined) return parent
  const child = parent.commands.find((command) => command.name() === word)
  if (!child) throw new UsageFailure(`Unknown command '${word}'. See "${pathOf(parent)} --help".`)
  return getCommand(child, rest)
}

/** Returns the words by which a command is called, such as `meadow profile list`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const EXAMPLES = new WeakMap<Command, readonly string[]>()
const CALLS = new WeakMap<Command, readonly string[]>()

/** Gives a command examples, for its help and the reference page. */
export function withExamples(command: Command, ...calls: string[]): Command {
  EXAMPLES.set(command, calls)
  return command.addHelpText('after', ['', 'Examples:', ...calls.map((call) => `  $ ${call}`)].join('\n'))
}

export const examplesOf = (command: Command): readonly string[] => EXAMPLES.get(command) ?? []

/** Declares which endpoints a command reads, and adds what the contract says about them to its help. */
export function readsEndpoints(command: Command, ...names: string[]): Command {
  CALLS.set(command, names)
  const lines = names.map(endpointOf).map(({ path, scope }) => `  GET ${API_PREFIX}${path}  (${scope})`)
  return command.addHelpText('after', ['', 'Reads:', ...lines].join('\n'))
}

export const endpointNamesOf = (command: Command): readonly string[] => CALLS.get(command) ?? []

function endpointOf(name: string): EndpointDescription {
  const found = ENDPOINT_DESCRIPTIONS.find((endpoint) => endpoint.name === name)
  if (!found) throw new Error(`The contract has no endpoint ${name}.`)
  return found
}

/** Returns a parameter of an endpoint: its description and the values that it takes. */
export function parameterOf(endpoint: string, name: string): { description: string; values: string[] } {
  const parameter = endpointOf(endpoint).parameters.find((one) => one.name === name)
  if (!parameter) throw new Error(`The endpoint ${endpoint} has no parameter ${name}.`)
  return { description: parameter.description ?? '', values: (parameter.schema.enum ?? []).map(String) }
}

/** Creates the option `--wait` for commands that read a solution. */
export const waitOption = (): Option =>
  new Option('--wait [seconds]', 'Wait until a running solve has ended, ten minutes unless told otherwise.')
    .argParser(readSeconds)
    .preset('600')

/** Reads the number of seconds that an option has. */
export function readSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds > 0))
    throw new InvalidArgumentError('It must be a number of seconds above 0.')
  return seconds
}
