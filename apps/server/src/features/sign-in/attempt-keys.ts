import type { AttemptKey } from './attempts.ts'

const MAX_OF_ONE = 10
const MAX_OF_MANY = 100

/**
 * What tries of a password are counted under: the pair, so that one client guesses little for one address, and each of
 * the two alone, so that neither many addresses nor many clients help.
 */
export function keysOfSignIn(ip: string, email: string): AttemptKey[] {
  const address = email.toLowerCase()
  return [
    { key: `${ip} ${address}`, max: MAX_OF_ONE },
    { key: `ip ${ip}`, max: MAX_OF_MANY },
    { key: `email ${address}`, max: MAX_OF_MANY },
  ]
}

/** What tries of a secret of our own making are counted under: they cannot be guessed, only hammered at. */
export const keysOfSecret = (ip: string): AttemptKey[] => [{ key: `secret ${ip}`, max: MAX_OF_MANY }]
