import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure } from '../failure.ts'
import { withExamples } from '../help.ts'
import { STDOUT, writeFileAtomically } from '../output/write-file.ts'

interface TextOptions {
  output?: string
  reading?: true
}

/** `meadow text` prints a definition as text. */
export const textCommand = (start: StartCommand): Command =>
  withExamples(
    new Command('text')
      .description(
        'Print the canonical text of a .gh, .ghx, .ghuser or .ghcluster file: one fact on each line, objects by their ids. ' +
          'Needs neither a service nor a token.',
      )
      .argument('<file>', `The file, or ${STDOUT} for stdin.`)
      .option('-o, --output <file>', `Where to write, or ${STDOUT} for stdout [${STDOUT}].`)
      .option('--reading', 'Leave bytes out, as in the diffs of git.')
      .action(start(convert)),
    'meadow text Tower.gh > Tower.txt',
    'git show HEAD:Tower.gh | meadow text - | less',
  )

async function convert(context: CommandContext, file: string, options: TextOptions): Promise<void> {
  const bytes = file === STDOUT ? await readAll(context.stdin) : await readFile(file)
  const text = await toText(bytes, options.reading === true)
  const { output: target = STDOUT } = options
  if (target === STDOUT) context.output.data(text)
  else await writeFileAtomically(target, text)
}

async function toText(bytes: Uint8Array, isForReading: boolean): Promise<string> {
  // The module is loaded here since the other commands do not need it.
  const { toReadingText, toText } = await import('@meadow/grasshopper/text')
  try {
    return isForReading ? toReadingText(bytes) : toText(bytes)
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
