import { isIPv6 } from 'node:net'
import type { AttemptKey } from './attempts.ts'

const MAX_OF_ONE = 10
const MAX_OF_MANY = 100

/**
 * What tries of a password are counted under: the pair, so that one client guesses little for one address, and each of
 * the two alone, so that neither many addresses nor many clients help.
 */
export function keysOfSignIn(ip: string, email: string): AttemptKey[] {
  const client = clientOf(ip)
  const address = email.toLowerCase()
  return [
    { key: `${client} ${address}`, max: MAX_OF_ONE },
    { key: `client ${client}`, max: MAX_OF_MANY },
    { key: `email ${address}`, max: MAX_OF_MANY },
  ]
}

/** What tries of a secret of our own making are counted under: they cannot be guessed, only hammered at. */
export const keysOfSecret = (ip: string): AttemptKey[] => [
  { key: `secret ${clientOf(ip)}`, max: MAX_OF_MANY },
]

/** Whoever has one address of IPv6 has the 2^64 beside it as well. */
const clientOf = (ip: string): string => (isIPv6(ip) && !ip.includes('.') ? networkOf(ip) : ip)

/** The first half of an address. */
function networkOf(ip: string): string {
  const [start = '', end] = ip.split('::')
  const groups = start.split(':').filter(Boolean)
  const zeros = end === undefined ? 0 : 8 - groups.length - end.split(':').filter(Boolean).length
  return [...groups, ...Array<string>(zeros).fill('0')].slice(0, 4).join(':')
}
