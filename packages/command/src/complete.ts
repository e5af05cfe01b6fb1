import type { Command, Option } from 'commander'

/** A text that can complete the command line. */
export interface Candidate {
  value: string
  description: string
}

/** Finds values by the placeholder of an option or an argument, such as `folder` of `--in <folder>`. */
export type NameSources = Readonly<Record<string, (typed: string) => Promise<string[]>>>

/** The result when a file name is expected: the shell completes those by itself. */
export const FILES = Symbol('files')

export type Completed = Candidate[] | typeof FILES

/** The placeholders of file names. */
const FILE_PLACEHOLDERS = ['file', 'target']

/**
 * Returns the candidates for the end of the words after the program's name. The last word is incomplete or empty. The result is
 * `FILES` when a file name is expected.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  names: NameSources,
): Promise<Completed> {
  const typed = words.at(-1) ?? ''
  const { command, positionals, pending } = follow(program, words.slice(0, -1))
  const isPlain = words.slice(0, -1).includes('--')
  if (pending) return completeValue(placeholderOf(pending), pending.argChoices, typed, names)
  const [, flag, value] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? []
  if (flag !== undefined && !isPlain) return completeAssignment(command, flag, value!, names)
  if (typed.startsWith('-') && !isPlain) return fitting(listOptions(command), typed)
  if (command.commands.length > 0) return fitting(listCommands(command), typed)
  const argument =
    command.registeredArguments[positionals] ??
    (command.registeredArguments.at(-1)?.variadic ? command.registeredArguments.at(-1) : undefined)
  return argument ? completeValue(argument.name(), argument.argChoices, typed, names) : []
}

/**
 * Returns the command that the words lead to, the number of its arguments so far, and the option whose value is next.
 */
function follow(program: Command, words: readonly string[]) {
  let command = program
  let positionals = 0
  let pending: Option | undefined
  let isPlain = false
  for (const word of words) {
    if (pending) pending = undefined
    else if (isPlain) positionals++
    else if (word === '--') isPlain = true
    else if (word.startsWith('-')) {
      const option = findOption(command, word)
      // A value that is optional cannot be distinguished from an argument.
      pending = option?.required ? option : undefined
    } else {
      const child = positionals === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (child) command = child
      else positionals++
    }
  }
  return { command, positionals, pending }
}

/** Yields the options of a command and of the commands above it. */
function* optionsOf(command: Command): Generator<Option> {
  for (let one: Command | null = command; one; one = one.parent) yield* one.options
}

const findOption = (command: Command, word: string): Option | undefined =>
  [...optionsOf(command)].find(({ long, short }) => word === long || word === short)

const listOptions = (command: Command): Candidate[] => [
  ...[...optionsOf(command)].map(({ long, description }) => ({ value: long!, description })),
  { value: '--help', description: 'Show help.' },
]

const listCommands = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }))

async function completeAssignment(
  command: Command,
  flag: string,
  value: string,
  names: NameSources,
): Promise<Completed> {
  const option = findOption(command, flag)
  if (!option) return []
  const found = await completeValue(placeholderOf(option), option.argChoices, value, names)
  return found === FILES ? FILES : found.map((one) => ({ ...one, value: `${flag}=${one.value}` }))
}

/** Returns the name of the placeholder of an option, such as `folder` of `--in <folder>`. */
const placeholderOf = ({ flags }: Option): string => /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''

async function completeValue(
  placeholder: string,
  choices: readonly string[] | undefined,
  typed: string,
  names: NameSources,
): Promise<Completed> {
  if (choices) return fitting(toCandidates(choices), typed)
  if (FILE_PLACEHOLDERS.includes(placeholder)) return FILES
  return fitting(toCandidates((await names[placeholder]?.(typed)) ?? []), typed)
}

const toCandidates = (values: readonly string[]): Candidate[] =>
  [...new Set(values)].map((value) => ({ value, description: '' }))

const fitting = (candidates: readonly Candidate[], typed: string): Candidate[] =>
  candidates.filter(({ value }) => value.startsWith(typed))
