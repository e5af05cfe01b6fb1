import { type Command, CommanderError } from 'commander'
import { reasonOf } from '../platform/system-errors.ts'
import type { CommandContext, StartCommand, Surroundings } from './command-context.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { addHelp, pathOf } from './help.ts'
import { createOutput, type OutputStream } from './output/output.ts'
import { createProgram } from './program.ts'

/**
 * Runs `meadow-server` with these arguments and tells the exit code: 0 done, 1 not (wholly) done, 2 called wrongly,
 * 3 a limit of the team was reached, 130 stopped by Ctrl-C, 143 by SIGTERM. Never throws.
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr } = surroundings
  const output = createOutput(asksForJson(args), stdout, stderr)
  const failedStream = watchStreams([stdout, stderr])
  let exitCode = 0
  const endWith = (code: number) => {
    exitCode = code
  }
  /** What commander prints: help, or the version. */
  let printed = ''
  const start: StartCommand =
    <Arguments extends unknown[]>(work: (context: CommandContext, ...given: Arguments) => Promise<void>) =>
    // commander hands the command itself last.
    (...given) =>
      work({ env, output, stdout, stderr, endWith }, ...(given.slice(0, -1) as Arguments))
  try {
    const program = createProgram(start)
    forEachCommand(program, (command) => {
      if (command.commands.length > 0) addHelp(command)
      command
        .configureHelp({ showGlobalOptions: true })
        .helpOption('-h, --help', 'Show help.')
        .exitOverride((error) => throwUsage(error, command, output.json))
        .configureOutput({
          writeOut: (text) => {
            printed += text
          },
          // Help for want of a command.
          writeErr: (text) => {
            if (!output.json) stderr.write(text)
          },
          outputError: () => {}, // told below, as all failures are
        })
    })
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      output.failure(error)
      return error instanceof CommandFailure ? error.exitCode : 1
    }
    if (error.exitCode !== 0) return 2
    const text = printed.trimEnd()
    output.data(error.code === 'commander.version' ? { version: text } : { help: text }, () => text)
  }
  await written(stdout)
  const failed = failedStream()
  if (failed) output.failure(new CommandFailure(`The output could not be written: ${reasonOf(failed)}.`))
  return failed ? 1 : exitCode
}

/** Known before commander has read the options, so that its own complaints come in the right form too. */
const asksForJson = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).includes('--json')
}

/** Help and version end commander with code 0; help for want of a command was printed already; all else is told. */
function throwUsage(error: CommanderError, command: Command, json: boolean): never {
  if (error.exitCode === 0) throw error
  if (error.code === 'commander.help') {
    throw json ? new UsageFailure(`A command is missing. See "${pathOf(command)} --help".`) : error
  }
  const said = error.message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
  throw new UsageFailure(`${said[0]!.toUpperCase()}${said.slice(1)}. See "${pathOf(command)} --help".`)
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) forEachCommand(child, visit)
}

/**
 * A reader that goes away (`| head`) is no failure: what it no longer wants is left out and the command goes on.
 * Any other failure of a stream is kept for the end.
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

/** Resolves when all that the stream was given is written, or has failed to be. */
const written = (stream: OutputStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve())
  })
