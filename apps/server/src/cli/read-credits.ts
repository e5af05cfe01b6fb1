import { InvalidArgumentError } from 'commander'
import { wholeNumber } from '../config/kinds.ts'

/** What a team can have at most: more than thirty years of solver time. */
export const MAX_CREDITS = 1_000_000_000

/** Reads a number of credits, `least` or more. */
export function readCredits(least: number): (text: string) => number {
  const credits = wholeNumber(least, MAX_CREDITS)
  return (text) => {
    const value = credits.read(text)
    if (value === undefined) throw new InvalidArgumentError(`It must be ${credits.accepts}.`)
    return value
  }
}
