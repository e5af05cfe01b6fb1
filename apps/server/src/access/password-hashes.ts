import { argon2, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { FairSemaphore } from '../platform/concurrency/fair-semaphore.ts'

const compute = promisify(argon2)
const computeScrypt = promisify<string, string, number, ScryptOptions, Buffer>(scrypt)

/**
 * OWASP's strength for Argon2id: 19 MiB, two passes, one lane. Change it here: hashes are replaced at the next sign-in.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Each hash takes 19 MiB and one of the four threads that reads of files need too, so only few are computed at once. A
 * request that waits longer than the user of a browser would gets a 503.
 */
export const hashPermits = new FairSemaphore({ limits: [2], maxWaiting: [200], maxWaitMs: 10_000 })

/**
 * Returns the hash to store, in the form of the Argon2 reference (`$argon2id$…`). Takes 50 ms, so do not call it in
 * transactions.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await computeHash(password, { ...COST, salt, length: HASH_BYTES })
  return `${prefixOf(COST)}${toText(salt)}$${toText(hash)}`
}

/** Whether a stored hash is that of the password. It may be a hash of scrypt, which were stored before (0072). */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  const read = HASH_FORM.exec(stored)?.groups
  if (!read) return verifyScrypt(stored, password)
  const expected = Buffer.from(read.hash!, 'base64')
  const actual = await computeHash(password, {
    memory: Number(read.memory),
    passes: Number(read.passes),
    parallelism: Number(read.parallelism),
    salt: Buffer.from(read.salt!, 'base64'),
    length: expected.length,
  })
  return timingSafeEqual(actual, expected)
}

/** Whether a stored hash is of another kind or cost than the hashes that are made now. */
export const isOutdatedHash = (stored: string): boolean => !stored.startsWith(prefixOf(COST))

const HASH_FORM =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[\w+/]+)\$(?<hash>[\w+/]+)$/

type Cost = typeof COST

const prefixOf = ({ memory, passes, parallelism }: Cost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`

/** Writes bytes as Base64 without padding. */
const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')

async function computeHash(
  password: string,
  { salt, length, ...cost }: Cost & { salt: Uint8Array; length: number },
): Promise<Buffer> {
  using _permit = await hashPermits.acquire([])
  const message = Buffer.from(password.normalize('NFKC'))
  return compute('argon2id', { message, nonce: salt, tagLength: length, ...cost })
}

/** The cost of scrypt, which needs 128 * N * r bytes. */
const SCRYPT = { N: 16_384, r: 16, p: 1, maxmem: 64 * 2 ** 20 }

/**
 * Verifies a hash of scrypt: salt and key in hexadecimal digits with a colon between them. The salt is used as these
 * digits.
 */
async function verifyScrypt(stored: string, password: string): Promise<boolean> {
  using _permit = await hashPermits.acquire([])
  const [salt = '', digits = ''] = stored.split(':')
  const expected = Buffer.from(digits, 'hex')
  if (expected.length === 0) throw new Error('A stored password is not a hash that this version knows.')
  const actual = await computeScrypt(password.normalize('NFKC'), salt, expected.length, SCRYPT)
  return timingSafeEqual(actual, expected)
}
