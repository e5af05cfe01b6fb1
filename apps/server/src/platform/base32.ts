import { randomBytes } from 'node:crypto'

/** Crockford's digits in lower case: no i, l, o and u, so that they are easy to read; they sort like text. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns random digits of five bits each. */
export function randomBase32(length: number): string {
  let digits = ''
  for (const byte of randomBytes(length)) digits += BASE32[byte & 31]
  return digits
}

/** Returns the digits of an unsigned integer of 32 bits, always seven. */
export function base32OfUint32(value: number): string {
  let digits = ''
  for (let shift = 30; shift >= 0; shift -= 5) digits += BASE32[(value >>> shift) & 31]
  return digits
}

/** A regular expression of one digit. */
export const BASE32_DIGIT = '[0-9a-hjkmnp-tv-z]'

const DIGITS = new RegExp(`^${BASE32_DIGIT}*$`)

export const isBase32 = (text: string): boolean => DIGITS.test(text)
