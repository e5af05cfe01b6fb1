import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { DocumentId } from '@meadow/contract'
import { LINK_LIFETIME_MS } from '@meadow/contract/terms'
import { LRUCache } from 'lru-cache'
import { hasEnded } from '../database/database-clock.ts'
import type { BlobLink } from './blob-links.ts'
import { isDigest } from './blobs.ts'

/** A key that links are signed with. */
export interface LinkKey {
  id: number
  secret: Uint8Array
  /** When the key was retired; null while it signs new links. */
  retiredAt: number | null
}

export interface LinkKeys {
  find(id: number): Promise<LinkKey | undefined>
}

/** Links to blobs that Meadow serves itself; they contain all that is needed, signed (decision 0013). */
export interface SignedLinks {
  /** Returns the time that decides whether links have expired, in milliseconds since 1970. */
  now(): number
  /** Creates a path, signed with the current key, that grants access to the blob by itself. */
  create(link: BlobLink, key: LinkKey): string
  /** Reads the content of a link from its path; undefined unless the whole path is exactly as `create` made it. */
  read(path: string, now: number): Promise<ReadLink | undefined>
}

export interface ReadLink {
  link: BlobLink
  /** `ended`: the key was retired, and its links were ended. */
  state: 'good' | 'expired' | 'ended'
}

/** The prefix of links; it is followed by the payload, the signature, and a readable file name. */
export const DOWNLOADS = '/downloads'

/** The path of a link: `/downloads/` with payload, signature and file name. */
const PATH = /^\/downloads\/([\w-]{1,4000})\.[\w-]{43}\/[\w.-]{1,200}$/

/** `now` returns the milliseconds since 1970 by the clock of the database. */
export function createSignedLinks(keys: LinkKeys, now: () => number = Date.now): SignedLinks {
  return {
    now,
    create: writePath,
    async read(path, now) {
      const payload = PATH.exec(path)?.[1]
      const found = payload === undefined ? undefined : readPayload(payload)
      const key = found && (await keys.find(found.keyId))
      if (!key || !isSame(path, writePath(found.link, key))) return undefined
      return { link: found.link, state: stateOf(found.link, key, now) }
    },
  }
}

const MAX_CACHED_KEYS = 16

/** The keys in the form of the library, which takes 10 µs to make. */
const secretKeys = new LRUCache<string, KeyObject>({ max: MAX_CACHED_KEYS })

function secretKeyOf(secret: Uint8Array): KeyObject {
  const text = Buffer.from(secret.buffer, secret.byteOffset, secret.length).toString('latin1')
  const cached = secretKeys.get(text)
  if (cached) return cached
  const key = createSecretKey(secret)
  secretKeys.set(text, key)
  return key
}

/** Returns the path of a link, which has exactly one. */
function writePath(link: BlobLink, { id, secret }: LinkKey): string {
  const { expiresAt, digest, token, document, mediaType, fileName } = link
  const payload = Buffer.from(
    JSON.stringify([
      id,
      expiresAt,
      Buffer.from(digest, 'hex').toString('base64url'),
      token,
      document,
      mediaType,
      fileName,
    ]),
  ).toString('base64url')
  const signature = createHmac('sha256', secretKeyOf(secret)).update(payload).digest('base64url')
  return `${DOWNLOADS}/${payload}.${signature}/${toPlainName(fileName)}`
}

/** Reads a payload, which must not be trusted before the signature was checked. */
function readPayload(payload: string): { keyId: number; link: BlobLink } | undefined {
  const [keyId, expiresAt, digest64, token, document, mediaType, fileName] = readList(payload)
  const digest = Buffer.from(String(digest64), 'base64url').toString('hex')
  if (!isKeyId(keyId) || !Number.isSafeInteger(expiresAt) || !isDigest(digest)) return undefined
  if (![token, document, mediaType, fileName].every((text) => typeof text === 'string')) return undefined
  return {
    keyId,
    link: {
      expiresAt: expiresAt as number,
      digest,
      token: token as BlobLink['token'],
      document: document as DocumentId,
      mediaType: mediaType as string,
      fileName: fileName as string,
    },
  }
}

function readList(payload: string): unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

const isKeyId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Returns the state of a link. A stolen key that was retired cannot make links that last longer than the last ones it
 * signed here.
 */
function stateOf({ expiresAt }: BlobLink, { retiredAt }: LinkKey, now: number): ReadLink['state'] {
  if (hasEnded(expiresAt, LINK_LIFETIME_MS, now)) return 'expired'
  return retiredAt !== null && expiresAt > retiredAt + LINK_LIFETIME_MS ? 'ended' : 'good'
}

const MAX_NAME_LENGTH = 100

/**
 * Returns a file name of characters that need no escape in addresses and file systems: `Türme 7.gh` gives `Turme-7.gh`.
 */
function toPlainName(fileName: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.\w+)?$/s.exec(fileName) ?? []
  const plain = stem
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME_LENGTH)
  return `${plain || 'export'}${extension}`
}
