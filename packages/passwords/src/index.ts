/*
 * What a new password has to be, for the server, its commands and the web app. Any characters may be used, and none has
 * to be (OWASP ASVS 5, 6.2). The list of known passwords has half a megabyte: it is loaded with the first check.
 */

export const MIN_PASSWORD_LENGTH = 10

export const MAX_PASSWORD_LENGTH = 128

/** Why a password is refused, and the sentence for the person who chose it. */
export const PASSWORD_FAULTS = {
  length: `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
  own_data:
    'That password is little more than your name, your address, your team or the name of this service. Add something that others do not know of you.',
  guessable:
    'That password is easy to guess: it is, or is close to, one that many people use. Take a longer one, such as four words at random.',
} as const

export type PasswordFault = keyof typeof PASSWORD_FAULTS

/** What others know of a person. */
export interface OwnData {
  name?: string
  email?: string
  teams?: readonly string[]
}

/** Why the password may not be chosen by this person; undefined if it may. */
export async function findPasswordFault(password: string, own: OwnData): Promise<PasswordFault | undefined> {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) return 'length'
  const words = listOwnWords(own)
  if (removeWords(password, words).length < MIN_UNKNOWN_LENGTH) return 'own_data'
  const { isGuessable } = await import('./guesses.ts')
  return isGuessable(password, words) ? 'guessable' : undefined
}

/** What has to be left of a password without the words that others know of the person. */
const MIN_UNKNOWN_LENGTH = 6

const SERVICE = 'meadow'

/** Shorter ones occur in other words. */
const MIN_WORD_LENGTH = 3

/** The longest ones first, so that none is left in part by a shorter one. */
function listOwnWords({ name = '', email = '', teams = [] }: OwnData): string[] {
  const words = [name, email, ...teams].flatMap((text) => fold(text).split(/[^\p{L}\p{N}]+/u))
  return [...new Set([SERVICE, ...words])]
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .toSorted((one, other) => other.length - one.length)
}

/** The letters and digits of a password that are not part of one of the words. */
const removeWords = (password: string, words: readonly string[]): string =>
  words.reduce((rest, word) => rest.replaceAll(word, ' '), fold(password)).replaceAll(/[^\p{L}\p{N}]+/gu, '')

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()
