import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_ONLY } from '../platform/data-folder.ts'
import { findCode } from '../platform/system-errors.ts'

/** The cookie of better-auth; browsers take the second name only over https. */
const NAME = 'better-auth.session_token'

const SECURE_NAME = `__Secure-${NAME}`

export interface CookieTerms {
  secret: string
  /** Whether the service is reached over https. */
  isSecure: boolean
}

/** The cookie for a session's token, as `name=value`, signed as better-auth signs it. */
export function writeSessionCookie(token: string, { secret, isSecure }: CookieTerms): string {
  const value = encodeURIComponent(`${token}.${sign(token, secret)}`)
  return `${isSecure ? SECURE_NAME : NAME}=${value}`
}

/** The token in a request's `Cookie` header, when its signature is right; nothing is looked up. */
export function readSessionCookie(header: string | undefined, secret: string): string | undefined {
  for (const value of listCookies(header)) {
    const token = readSigned(value, secret)
    if (token !== undefined) return token
  }
  return undefined
}

/** The values of all cookies of ours: an old one of the other name may lie beside the one that is good. */
function listCookies(header = ''): string[] {
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    return name === NAME || name === SECURE_NAME ? [pair.slice(at + 1).trim()] : []
  })
}

function readSigned(value: string, secret: string): string | undefined {
  const text = decode(value)
  const at = text.lastIndexOf('.')
  if (at < 1) return undefined
  const token = text.slice(0, at)
  const given = Buffer.from(text.slice(at + 1))
  const right = Buffer.from(sign(token, secret))
  return given.length === right.length && timingSafeEqual(given, right) ? token : undefined
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

/** In the data folder, readable by its owner alone. */
const FILE = 'session-secret'

/**
 * What session cookies are signed with: the configured one, or else one that is made when it is first needed. Processes
 * that start at once get the same.
 */
export async function openSessionSecret(dataDir: string, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataDir, FILE)
  return (await findSecret(path)) ?? (await makeSecret(dataDir, path))
}

/** Whole or not there at all: it is given its name only once it is written. */
async function makeSecret(dataDir: string, path: string): Promise<string> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY.folder })
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: OWNER_ONLY.file, flush: true })
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

async function findSecret(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (findCode(error) === 'ENOENT') return undefined
    throw error
  }
}
