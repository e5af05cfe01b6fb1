import { readFile } from 'node:fs/promises'
import { CommandFailure } from '@meadow/command'
import { STDOUT, writeFile } from '@meadow/command/files'
import type { Command, CommandContext } from '../command-context.ts'

interface TextOptions {
  output?: string
  reading?: true
}

/** `meadow text` prints a definition as text. */
export const textCommand: Command = {
  name: 'text',
  description:
    'Print the canonical text of a .gh, .ghx, .ghuser or .ghcluster file: one fact on each line, objects by their ids. ' +
    'Needs neither a service nor a token.',
  arguments: { '<file>': `The file, or ${STDOUT} for stdin.` },
  options: {
    '-o, --output <file>': `Where to write, or ${STDOUT} for stdout [${STDOUT}].`,
    '--reading': 'Leave bytes out, as in the diffs of git.',
  },
  examples: ['meadow text Tower.gh > Tower.txt', 'git show HEAD:Tower.gh | meadow text - | less'],
  run: convert,
}

async function convert(context: CommandContext, file: string, options: TextOptions): Promise<void> {
  const bytes = file === STDOUT ? await readAll(context.stdin) : await readFile(file)
  const text = await toText(bytes, options.reading === true)
  const { output: target = STDOUT } = options
  if (target === STDOUT) context.output.write(text)
  else await writeFile(target, text)
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
