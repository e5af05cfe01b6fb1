import { InvalidArgumentError } from 'commander'
import { readEmailAddress } from '../access/email.ts'

/** An e-mail address, in small letters. */
export function readEmail(text: string): string {
  const email = readEmailAddress(text)
  if (email === undefined) {
    throw new InvalidArgumentError('It must be an e-mail address such as ann@example.org.')
  }
  return email
}
