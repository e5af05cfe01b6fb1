import { InvalidArgumentError } from 'commander'
import { readEmailAddress } from '../access/users.store.ts'

/** An e-mail address, in small letters. */
export function readEmail(text: string): string {
  const email = readEmailAddress(text)
  if (email === undefined) {
    throw new InvalidArgumentError('It must be an e-mail address such as ann@example.org.')
  }
  return email
}

const MAX_LETTERS = 200

/** The name of a team or a token, without space around it. */
export function readName(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > MAX_LETTERS || /\p{Cc}|\p{Surrogate}/u.test(name)) {
    throw new InvalidArgumentError(`It must have 1 to ${MAX_LETTERS} letters, on one line.`)
  }
  return name
}
