import { type Command, CommanderError } from 'commander'
import { runAsOperator } from '../audit/run-as-operator.ts'
import { reasonOf } from '../platform/system-errors.ts'
import type { CommandContext, StartCommand, Surroundings } from './command-context.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { addHelp, pathOf } from './help.ts'
import { createOutput, type OutputStream } from './output/output.ts'
import { createProgram } from './program.ts'

/**
 * Runs `meadow-server` with these arguments and returns the exit code: 0 done, 1 failed or done in part, 2 called incorrectly,
 * 3 a limit of the team was reached, 130 stopped by Ctrl-C, 143 by SIGTERM. Never throws.
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr } = surroundings
  const output = createOutput(requestsJson(args), stdout, stderr)
  const failedStream = watchStreams([stdout, stderr])
  let exitCode = 0
  const endWith = (code: number) => {
    exitCode = code
  }
  /** The help or version that commander prints. */
  let printed = ''
  const start: StartCommand =
    <Arguments extends unknown[]>(work: (context: CommandContext, ...input: Arguments) => Promise<void>) =>
    // The last argument is the command itself.
    (...input) =>
      runAsOperator(pathOf(input.at(-1) as Command), () =>
        work({ env, output, stdout, stderr, endWith }, ...(input.slice(0, -1) as Arguments)),
      )
  try {
    const program = await createProgram(start, args)
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
          // Help after a missing command.
          writeErr: (text) => {
            if (!output.json) stderr.write(text)
          },
          outputError: () => {}, // reported below, like all errors
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

/** Determined before commander has parsed the options, so that its errors are printed in the right format too. */
const requestsJson = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).includes('--json')
}

/** Help and version end commander with code 0; help after a missing command is already printed; the rest are errors. */
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

function forEachCommand(command: Command, action: (command: Command) => void): void {
  action(command)
  for (const child of command.commands) forEachCommand(child, action)
}

/**
 * A reader that closes the pipe (`| head`) is not an error: the command goes on without output. Any other error of a
 * stream is reported at the end.
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

/** Resolves when everything that was written to the stream has left, or has failed. */
const written = (stream: OutputStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve())
  })
