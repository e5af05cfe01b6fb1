import { type Command, CommanderError } from 'commander'
import type { CommandContext, GlobalOptions, StartCommand, Surroundings } from './command-context.ts'
import { chooseConnection } from './config/connection.ts'
import { createMeadow } from './config/create-meadow.ts'
import { closeToOthers, findConfigFile, readProfiles } from './config/profiles.ts'
import { CommandFailure, exitCodeOf, UsageFailure } from './failure.ts'
import { addHelp, pathOf } from './help.ts'
import { createOutput, type Output, type OutputStream } from './output/output.ts'
import { createProgram } from './program.ts'
import { watchInterrupt } from './signals.ts'

/** Runs `meadow` with these arguments and returns the exit code. Never throws. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr } = surroundings
  // This output is used until commander has parsed the options, so that its errors are printed in the right format too.
  let output = createOutput(guessOptions(args), env, stdout, stderr)
  using interrupt = watchInterrupt()
  const failedStream = watchStreams([stdout, stderr])
  let exitCode = 0
  /** The help or version that commander prints. */
  let printed = ''
  const start: StartCommand =
    <Arguments extends unknown[]>(work: (context: CommandContext, ...input: Arguments) => Promise<void>) =>
    async (...input) => {
      const options = program.opts<GlobalOptions>()
      output = createOutput(options, env, stdout, stderr)
      const context = createContext(surroundings, program, output, interrupt.signal, (code) => {
        exitCode = code
      })
      // The last argument is the command itself.
      await work(context, ...(input.slice(0, -1) as Arguments))
    }
  const program = createProgram(start)
  prepare(program, output, {
    writeOut: (text) => {
      printed += text
    },
    writeErr: (text) => stderr.write(text),
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (interrupt.signal.aborted) return interrupt.exitCode
    if (!(error instanceof CommanderError)) {
      output.failure(error)
      return exitCodeOf(error)
    }
    if (error.exitCode !== 0) return 2
    const text = printed.trimEnd()
    await output.answer({
      json: error.code === 'commander.version' ? { version: text } : { help: text },
      text: () => text,
    })
  }
  await written(stdout)
  const failed = failedStream()
  if (failed) output.failure(new CommandFailure(`The output could not be written: ${failed.message}.`))
  return failed ? 1 : exitCode
}

function createContext(
  surroundings: Surroundings,
  program: Command,
  output: Output,
  signal: AbortSignal,
  endWith: (code: number) => void,
): CommandContext {
  const { env, platform } = surroundings
  const options = program.opts<GlobalOptions>()
  async function connect() {
    const file = findConfigFile(surroundings)
    if (await closeToOthers(file, platform))
      output.warning(`Others could read "${file}", which has tokens. Now only you can.`)
    return chooseConnection(await readProfiles(file), options, env)
  }
  return {
    ...surroundings,
    program,
    options,
    output,
    signal,
    endWith,
    connect,
    async openMeadow(retries) {
      const { url, token } = await connect()
      return createMeadow(url, token, options, output, retries)
    },
  }
}

/** Gives every command its help, and turns commander's errors into ours. */
function prepare(
  command: Command,
  output: Output,
  writers: { writeOut(text: string): void; writeErr(text: string): void },
): void {
  if (command.commands.length > 0) addHelp(command)
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

/** Guesses the options of the output from the arguments, as far as that is possible without parsing them. */
function guessOptions(args: readonly string[]): GlobalOptions {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const isJson = options.some((option) => option === '--json' || /^--jq(=|$)/.test(option))
  return isJson ? { json: true } : {}
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
