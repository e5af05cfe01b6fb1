import { type Command, CommanderError } from 'commander'
import { complete } from './complete.ts'
import type { CommandContext, Surroundings } from './context.ts'
import { type BuildParts, buildCommand, type Declaration, pathOf } from './declaration.ts'
import { CommandFailure, type ErrorReport, UsageFailure } from './failure.ts'
import { createOutput, type Formats, type Output, type OutputParts, type OutputStream } from './output.ts'
import { printable, printableLines } from './printable.ts'
import { type Interrupt, watchInterrupt } from './signals.ts'

/** A program: what it has in common for all its commands. */
export interface Program<In extends Surroundings, Context extends CommandContext, Options extends object> {
  readonly version: string
  /** The commands, and the options that all of them take. */
  readonly root: Declaration<Context>
  /** The options that make the results JSON. */
  readonly jsonOptions: readonly string[]
  formatsOf(options: Partial<Options>): Formats
  describeEndpoint?(name: string): string
  /** Reports any error as one plain sentence. */
  report(error: unknown): ErrorReport
  /** Whether sentences about errors have several lines, which are its own: names in them are escaped before. */
  readonly hasLongErrors?: true
  exitCodeOf(error: unknown): number
  /** Says in words why a call of the system failed. */
  reasonOf(error: Error): string
  /** The time in milliseconds in which a second signal counts as the same Ctrl-C. */
  readonly sameKeyMs?: number
  createContext(context: In & CommandContext, options: Options): Context
  /** Runs a command that is called by these words. */
  around?(words: string, run: () => Promise<void>): Promise<void>
}

/** Makes the parser of a program with all its commands, which do nothing. */
export const buildProgram = <Context>({
  root,
  ...parts
}: BuildParts<Context> & { root: Declaration<Context> }): Promise<Command> => buildCommand(root, parts)

/** Runs a program with these arguments and returns the exit code. Never throws. */
export async function runProgram<
  In extends Surroundings,
  Context extends CommandContext,
  Options extends object,
>(program: Program<In, Context, Options>, args: readonly string[], surroundings: In): Promise<number> {
  const { stdout, stderr } = surroundings
  let interrupt: Interrupt | undefined
  const run = async <T>(work: () => T) => (interrupt ? interrupt.run(work) : work())
  const open = (formats: Formats) => openOutput(program, surroundings, { ...formats, run })
  // This output is used until the options are parsed, so that errors of that are printed in the right format too.
  let output = open({ ...program.formatsOf({}), isJson: asksForJson(program, args) })
  const failedStream = watchStreams([stdout, stderr])
  let exitCode = 0
  let printed = ''
  const common: Omit<CommandContext, keyof Surroundings | 'output'> = {
    endWith(code) {
      exitCode = code
    },
    watchInterrupt(onFirst) {
      interrupt = watchInterrupt(onFirst, program.sameKeyMs)
      return interrupt
    },
    complete: (words, names) => complete(built!, words, names),
  }
  const act = async ({ run }: Declaration<Context>, command: Command, input: unknown[]) => {
    const options = built!.opts() as Options
    output = open(program.formatsOf(options))
    const context = program.createContext({ ...surroundings, ...common, output }, options)
    const work = () => run!(context, ...(input as never[]))
    await (program.around ? program.around(pathOf(command), work) : work())
  }
  let built: Command | undefined
  try {
    built = await buildCommand(program.root, {
      ...program,
      act,
      words: [program.root.name, ...findWords(args)],
    })
    const writeOut = (text: string) => {
      printed += text
    }
    prepare(built, output, { writeOut, writeErr: (text) => stderr.write(text) })
    await built.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (interrupt?.signal.aborted) return interrupt.exitCode
    if (!(error instanceof CommanderError)) {
      output.failure(error)
      return program.exitCodeOf(error)
    }
    if (error.exitCode !== 0) return 2
    const text = printed.trimEnd()
    await output.data({ [error.code === 'commander.version' ? 'version' : 'help']: text }, () => text)
  } finally {
    interrupt?.[Symbol.dispose]()
  }
  await written(stdout)
  const failed = failedStream()
  if (failed) output.failure(toFailure(failed, program))
  return failed ? 1 : exitCode
}

function openOutput(
  { report, hasLongErrors }: Pick<Program<never, never, never>, 'report' | 'hasLongErrors'>,
  { env, stdout, stderr }: Surroundings,
  parts: Formats & Pick<OutputParts, 'run'>,
): Output {
  return createOutput({
    ...parts,
    env,
    stdout,
    stderr,
    report,
    escape: hasLongErrors ? printableLines : printable,
  })
}

const toFailure = (error: Error, { reasonOf }: { reasonOf(error: Error): string }) =>
  new CommandFailure(`The output could not be written: ${reasonOf(error)}.`)

/** Tells from the arguments whether JSON is asked for, as far as that is possible without parsing them. */
function asksForJson({ jsonOptions }: { jsonOptions: readonly string[] }, args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  return options.some((option) => jsonOptions.includes(option.replace(/=.*/s, '')))
}

/** Finds the first word of the command that is called, or asked about. Options of a program that loads have no values. */
function findWords(args: readonly string[]): string[] {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  const word = first === 'help' ? second : first
  return word === undefined ? [] : [word]
}

/** Sets up the help of every command, and turns the parser's errors into ours. */
function prepare(
  command: Command,
  output: Output,
  writers: { writeOut(text: string): void; writeErr(text: string): void },
): void {
  command
    .configureHelp({ showGlobalOptions: true })
    .helpOption('-h, --help', 'Show help.')
    .exitOverride((error) => throwUsage(error, command, output.isForPeople))
    .configureOutput({
      writeOut: writers.writeOut,
      // Commander writes the help after a missing command with this function.
      writeErr: output.isForPeople ? writers.writeErr : () => {},
      outputError: () => {}, // reported like all errors
    })
  for (const child of command.commands) prepare(child, output, writers)
}

/**
 * Turns an error of commander into a usage error. Help and version end commander with code 0, and help after a missing
 * command is already printed.
 */
function throwUsage(error: CommanderError, command: Command, isForPeople: boolean): never {
  if (error.exitCode === 0) throw error
  if (error.code === 'commander.help') {
    throw isForPeople ? error : new UsageFailure(`A command is missing. See "${pathOf(command)} --help".`)
  }
  const said = error.message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean (?:one of )?([^?]*)\?\)/, (_, names) => suggest(error.message, names))
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
  throw new UsageFailure(`${said[0]!.toUpperCase()}${said.slice(1)}. See "${pathOf(command)} --help".`)
}

/**
 * Returns a suggestion if it is likely. Commander suggests any word that differs in up to three letters, but a word
 * that begins with another letter was hardly meant.
 */
function suggest(message: string, names: string): string {
  const [, written = ''] = /'(-*\w)/.exec(message) ?? []
  const likely = names.split(', ').filter((name) => name.startsWith(written))
  if (likely.length === 0) return ''
  return ` (Did you mean ${likely.length > 1 ? 'one of ' : ''}${likely.join(', ')}?)`
}

/**
 * Watches the streams for errors. A reader that closes the pipe (`| head`) is not an error: the command continues
 * without output. Any other error of a stream is reported at the end.
 */
function watchStreams(streams: readonly OutputStream[]): () => Error | undefined {
  let failed: Error | undefined
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') failed = error
    })
  }
  return () => failed
}

/** Resolves when everything that was written to the stream was sent, or has failed. */
const written = (stream: OutputStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve())
  })
