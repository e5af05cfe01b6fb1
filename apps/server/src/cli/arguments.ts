import { InvalidArgumentError } from '@meadow/command'
import { readEmailAddress } from '../access/users.store.ts'
import { findHidden, HiddenCharacterError } from '../platform/database/names.ts'

/** An e-mail address, in lower case. */
export function readEmail(text: string): string {
  const email = readEmailAddress(text)
  if (email === undefined) {
    throw new InvalidArgumentError('It must be an e-mail address such as ann@example.org.')
  }
  return email
}

const MAX_LENGTH = 200

/** The name of a team or a token, without spaces around it. */
export function readName(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > MAX_LENGTH || /\p{Surrogate}/u.test(name)) {
    throw new InvalidArgumentError(`It must have 1 to ${MAX_LENGTH} letters, on one line.`)
  }
  const hidden = findHidden(name)
  if (hidden !== undefined) throw new InvalidArgumentError(new HiddenCharacterError(hidden).message)
  return name
}
