import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { CommandContext } from './context.ts'
import { UsageFailure } from './failure.ts'

/** What is declared of an option or an argument; a text alone is what the help says. */
interface ValueFacts {
  says: string
  /** Reads the value, after those that came before it. Throws an `InvalidArgumentError` for one that is wrong. */
  read?: (text: string, before: never) => unknown
  default?: unknown
  choices?: readonly string[] | undefined
}

interface OptionFacts extends ValueFacts {
  isRequired?: true
  /** The names of options that exclude this one, such as `dryRun`. */
  conflicts?: string | string[]
  /** The value of an option that is given without one. */
  preset?: unknown
}

/** Options by their flags, such as `-o, --output <file>`. */
export type Options = Readonly<Record<string, string | OptionFacts>>

/** A command, or a word with commands below it. */
export interface Declaration<Context = CommandContext> {
  readonly name: string
  /** The line in the list of commands; the description unless given. */
  readonly summary?: string
  readonly description?: string
  /** Arguments by how the help writes them: `<needed>`, `[optional]`, `[many...]`. */
  readonly arguments?: Readonly<Record<string, string | ValueFacts>>
  readonly options?: Options
  /** What the help says before and after the examples. */
  readonly notes?: string
  readonly examples?: readonly string[]
  readonly remarks?: string
  /** The names of the endpoints that the command reads. */
  readonly reads?: readonly string[]
  readonly isHidden?: true
  readonly takesUnknownOptions?: true
  /** Does the work. Gets the values of the arguments, and then those of the options by their names. */
  readonly run?: (context: Context, ...input: never[]) => Promise<void>
  readonly commands?: readonly Declaration<Context>[]
  /** Loads the command, or those below the word, when it is called. Its `summary` is known before. */
  load?(): Promise<Declaration<Context> | readonly Declaration<Context>[]>
}

/** Returns a function that reads a whole number in this range. */
export const readWhole =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    const range = max === Number.MAX_SAFE_INTEGER ? '' : ` from ${min} to ${max}`
    throw new InvalidArgumentError(`It must be a whole number${range}.`)
  }

const DECLARATIONS = new WeakMap<Command, Declaration<never>>()

/** Returns what was declared of a command. */
export const declarationOf = (command: Command): Declaration<never> | undefined => DECLARATIONS.get(command)

export interface BuildParts<Context> {
  /** The words that are called: only these commands are loaded. All of them unless given. */
  words?: readonly string[] | undefined
  /** What `--version` prints, which only a program has. */
  version?: string
  /** Describes an endpoint that a command reads, for its help. */
  describeEndpoint?(name: string): string
  act?(declared: Declaration<Context>, command: Command, input: unknown[]): Promise<void>
}

/** Makes the parser of a declared command and of those below it. */
export async function buildCommand<Context>(
  declared: Declaration<Context>,
  parts: BuildParts<Context>,
): Promise<Command> {
  const [word, ...below] = parts.words ?? []
  const isCalled = parts.words === undefined || word === declared.name
  const loaded = isCalled ? await declared.load?.() : undefined
  const whole: Declaration<Context> = !loaded
    ? declared
    : 'length' in loaded
      ? { ...declared, commands: loaded }
      : { ...loaded, ...declared }
  const { name, summary, description = summary ?? '', commands = [], run } = whole
  const command = new Command(name).description(description)
  if (parts.version !== undefined) command.version(parts.version, '--version', 'Print the version.')
  if (summary !== undefined && summary !== description) command.summary(summary)
  addValues(command, whole)
  addTexts(command, whole, parts.describeEndpoint)
  if (whole.takesUnknownOptions) command.allowUnknownOption()
  // The last argument is the command itself.
  if (run) command.action((...input: unknown[]) => parts.act?.(whole, command, input.slice(0, -1)))
  const { version: _, ...forChildren } = { ...parts, words: parts.words && below }
  for (const one of commands)
    command.addCommand(await buildCommand(one, forChildren), { hidden: one.isHidden === true })
  if (commands.length > 0) addHelp(command)
  DECLARATIONS.set(command, whole)
  return command
}

function addValues<Context>(command: Command, declared: Declaration<Context>): void {
  for (const [words, facts] of Object.entries(declared.arguments ?? {})) {
    const { says, ...rest } = toFacts(facts)
    command.addArgument(addFacts(new Argument(words, says), rest))
  }
  for (const [flags, facts] of Object.entries(declared.options ?? {})) {
    const { says, isRequired, conflicts, preset, ...rest }: OptionFacts = toFacts(facts)
    const option = addFacts(new Option(flags, says), rest)
    if (isRequired) option.makeOptionMandatory()
    if (conflicts) option.conflicts(conflicts)
    if (preset !== undefined) option.preset(preset)
    command.addOption(option)
  }
}

const toFacts = <Facts extends ValueFacts>(facts: string | Facts): Facts =>
  (typeof facts === 'string' ? { says: facts } : facts) as Facts

function addFacts<T extends Argument | Option>(value: T, facts: Omit<ValueFacts, 'says'>): T {
  if (facts.choices) value.choices(facts.choices)
  const choose = facts.choices && value.parseArg
  const read = facts.read as ((text: string, before: unknown) => unknown) | undefined
  if (read) value.argParser(choose ? (text, before) => choose(read(text, before) as string, before) : read)
  if (facts.default !== undefined) value.default(facts.default)
  return value
}

function addTexts<Context>(
  command: Command,
  { notes, reads, examples, remarks }: Declaration<Context>,
  describeEndpoint: (name: string) => string = (name) => name,
): void {
  const list = (title: string, lines: readonly string[]) =>
    command.addHelpText('after', ['', title, ...lines.map((line) => `  ${line}`)].join('\n'))
  if (notes !== undefined) command.addHelpText('after', notes)
  if (reads) list('Reads:', reads.map(describeEndpoint))
  if (examples)
    list(
      'Examples:',
      examples.map((call) => `$ ${call}`),
    )
  if (remarks !== undefined) command.addHelpText('after', remarks)
}

/** Adds `help` to a command with commands below it. */
function addHelp(parent: Command): void {
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
