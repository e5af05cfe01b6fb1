import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_ONLY } from '../platform/data-folder.ts'
import { findCode } from '../platform/system-errors.ts'

/** The name of the session's cookie, after its prefix. */
const NAME = 'better-auth.session_token'

/**
 * The prefixes of cookies, the best first. Browsers accept a cookie with the first prefix only from this host, for all
 * of its paths, and with the first two only over https.
 */
const PREFIXES = ['__Host-', '__Secure-', ''] as const

export interface CookieScope {
  /** Whether the service is reached over https. */
  isSecure: boolean
  /** The path of the service, which is `/` unless its host also serves something else. */
  path?: string
}

export interface CookieOptions extends CookieScope {
  secret: string
}

/** Returns the prefix of the names of cookies, by which browsers guard them. */
export function cookiePrefix({ isSecure, path = '/' }: CookieScope): (typeof PREFIXES)[number] {
  if (!isSecure) return ''
  return path === '/' ? '__Host-' : '__Secure-'
}

/** Writes a `Set-Cookie` line for a cookie that scripts cannot read. `maxAge` is in seconds; 0 removes the cookie. */
export const writeCookie = (cookie: string, maxAge: number, { isSecure, path = '/' }: CookieScope): string =>
  `${cookie}; Max-Age=${maxAge}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

/** Returns the values of the cookies with this name in a `Cookie` header. */
export const readCookies = (header: string | undefined, name: string): string[] =>
  splitCookies(header).flatMap((cookie) => (cookie.name === name ? [cookie.value] : []))

/** Returns the cookie for a session's token as `name=value`, whose value is the token and its signature. */
export function writeSessionCookie(token: string, { secret, ...scope }: CookieOptions): string {
  const value = encodeURIComponent(`${token}.${sign(token, secret)}`)
  return `${cookiePrefix(scope)}${NAME}=${value}`
}

/** The session cookie as requests bring it and responses set it. */
export interface SessionCookies {
  /** Returns the `Set-Cookie` line that gives a browser the session until it expires. */
  set(session: { token: string; expiresAt: number }): string
  /** Returns the token in a `Cookie` header, if its signature is valid. */
  read(header: string | undefined): string | undefined
  /** Returns the `Set-Cookie` lines that remove cookies with older names, which would otherwise be sent again. */
  removeOlder(header: string | undefined): string[]
  /** Returns the `Set-Cookie` lines that remove all session cookies. */
  remove(header: string | undefined): string[]
}

export function createSessionCookies(options: CookieOptions): SessionCookies {
  const { secret } = options
  const current = `${cookiePrefix(options)}${NAME}`
  return {
    set({ token, expiresAt }) {
      const maxAge = Math.max(0, Math.round((expiresAt - Date.now()) / 1000))
      return writeCookie(writeSessionCookie(token, options), maxAge, options)
    },
    read: (header) => readSessionCookie(header, secret),
    removeOlder: (header) =>
      listCookies(header)
        .filter(({ name }) => name !== current)
        .map(({ name }) => writeCookie(`${name}=`, 0, options)),
    remove: (header) => listCookies(header).map(({ name }) => writeCookie(`${name}=`, 0, options)),
  }
}

/**
 * Returns the token in a `Cookie` header, if its signature is valid; the session is not looked up. A valid cookie with
 * a better prefix wins: another host of the domain cannot have set it.
 */
export function readSessionCookie(header: string | undefined, secret: string): string | undefined {
  for (const { value } of listCookies(header)) {
    const token = readSigned(value, secret)
    if (token !== undefined) return token
  }
  return undefined
}

/**
 * Lists all session cookies in the order of their prefixes. A cookie from before the service had its https address, or
 * from a Meadow that did not use the best prefix, may be sent alone or beside the valid one.
 */
function listCookies(header: string | undefined): Cookie[] {
  const pairs = splitCookies(header)
  return PREFIXES.flatMap((prefix) => pairs.filter(({ name }) => name === prefix + NAME))
}

interface Cookie {
  name: string
  value: string
}

const splitCookies = (header = ''): Cookie[] =>
  header.split(';').map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() }
  })

function readSigned(value: string, secret: string): string | undefined {
  const text = decode(value)
  const at = text.lastIndexOf('.')
  if (at < 1) return undefined
  const token = text.slice(0, at)
  const actual = Buffer.from(text.slice(at + 1))
  const expected = Buffer.from(sign(token, secret))
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? token : undefined
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

const sign = (token: string, secret: string): string =>
  createHmac('sha256', secret).update(token).digest('base64')

/** Returns a text that is equal for equal secrets and says nothing else about them. */
export const fingerprintSecret = (secret: string): string =>
  createHmac('sha256', secret).update('meadow: fingerprint of the session secret').digest('hex').slice(0, 32)

/** The file of the secret in the data folder, readable by its owner only. */
const SECRET_FILE = 'session-secret'

/**
 * Resolves with the secret that signs session cookies: the configured one, or one that is generated when first needed.
 * Processes that start at the same time get the same secret.
 */
export async function openSessionSecret(dataDir: string, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataDir, SECRET_FILE)
  return (await findSecret(path)) ?? (await makeSecret(dataDir, path))
}

/** Generates a secret. Its file gets its name only after it was written completely. */
async function makeSecret(
  dataDir: string,
  path: string,
  secret = randomBytes(32).toString('base64url'),
): Promise<string> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY.folder })
  await writeFile(draft, secret, { mode: OWNER_ONLY.file, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    // Another process was faster.
    if (findCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(path, 'utf8')
}

/** Reads the generated secret in the data folder; undefined when none was generated. */
export const findSessionSecret = (dataDir: string): Promise<string | undefined> =>
  findSecret(join(dataDir, SECRET_FILE))

/** Takes this secret in place of a generated one, before any process of the service runs. */
export async function replaceSessionSecret(dataDir: string, secret: string): Promise<void> {
  await rm(join(dataDir, SECRET_FILE), { force: true })
  await makeSecret(dataDir, join(dataDir, SECRET_FILE), secret)
}

async function findSecret(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (findCode(error) === 'ENOENT') return undefined
    throw error
  }
}
