import { InvalidArgumentError } from 'commander'

const MAX_LETTERS = 200

/** The name of a team or a token, without space around it. */
export function readName(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > MAX_LETTERS || /\p{Cc}|\p{Surrogate}/u.test(name)) {
    throw new InvalidArgumentError(`It must have 1 to ${MAX_LETTERS} letters, on one line.`)
  }
  return name
}
