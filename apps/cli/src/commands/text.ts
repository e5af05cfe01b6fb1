import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import { withExamples } from '../help.ts'
import { STDOUT, writeFileAtomically, writeToStdout } from '../output/write-file.ts'

interface TextOptions {
  output?: string
  restore?: true
  reading?: true
}

/** `meadow text`: a definition as text, and back. */
export const textCommand = (start: StartCommand): Command =>
  withExamples(
    new Command('text')
      .description(
        'Print the canonical text of a .gh, .ghx, .ghuser or .ghcluster file: one fact on each line, objects by their ids. ' +
          'With --restore, turn such a text back into the same file, byte by byte; a text that was changed gives the ' +
          'changed file. Needs neither a service nor a token.',
      )
      .argument('<file>', `The file, or ${STDOUT} for stdin.`)
      .option('-o, --output <file>', `Where to write, or ${STDOUT} for stdout [${STDOUT}].`)
      .option('--restore', 'Make the file of a text.')
      .option('--reading', 'Leave bytes out, as in the diffs of git; this cannot become a file again.')
      .action(start(convert)),
    'meadow text Tower.gh > Tower.txt',
    'meadow text --restore Tower.txt -o Tower.gh',
    'git show HEAD:Tower.gh | meadow text - | less',
  )

async function convert(context: CommandContext, file: string, options: TextOptions): Promise<void> {
  if (options.restore && options.reading)
    throw new UsageFailure('--restore makes a file, and --reading a text: choose one.')
  const bytes = file === STDOUT ? await readAll(context.stdin) : await readFile(file)
  const content = await run(context, bytes, options)
  const { output: target = STDOUT } = options
  if (target !== STDOUT) await writeFileAtomically(target, [Buffer.from(content)])
  else if (typeof content === 'string') context.output.data(content)
  else await writeToStdout(context, [content])
}

async function run(
  { output }: CommandContext,
  bytes: Uint8Array,
  options: TextOptions,
): Promise<string | Uint8Array> {
  // Loaded here: the other commands do without.
  const { fromText, toReadingText, toText } = await import('@meadow/grasshopper/text')
  try {
    if (options.reading) return toReadingText(bytes)
    if (!options.restore) return toText(bytes)
    const { bytes: restored, notes } = fromText(bytes)
    for (const note of notes) output.warning(note)
    return restored
  } catch (error) {
    if (error instanceof Error && error.name === 'GrasshopperError')
      throw new CommandFailure(`${error.message}.`)
    throw error
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}
