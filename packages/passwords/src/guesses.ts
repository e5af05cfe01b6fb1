import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Guesses, as zxcvbn estimates them: fewer are within reach of who has the hash of a password. */
const MIN_SCORE = 3

/** The time of an estimate grows with the square of the length. What is safe does not become unsafe by what follows. */
const MAX_ESTIMATED_LENGTH = 40

const zxcvbn = new ZxcvbnFactory({
  dictionary: { 'passwords-common': dictionary['passwords-common'] },
  graphs: adjacencyGraphs,
})

/** Whether the password is among the 49,000 most used ones, or can be made of them, of `words`, or of rows of keys. */
export const isGuessable = (password: string, words: readonly string[]): boolean =>
  zxcvbn.check(password.slice(0, MAX_ESTIMATED_LENGTH), [...words]).score < MIN_SCORE
