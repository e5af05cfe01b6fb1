import { createHmac, timingSafeEqual } from 'node:crypto'
import { type DocumentId, LINK_LIFETIME_MS } from '@meadow/contract'
import type { BlobLink, BlobLinks } from './blob-links.ts'
import { isDigest } from './blobs.ts'

/** What links are signed with. */
export interface LinkKey {
  id: number
  secret: Uint8Array
  /** Since when it signs no more; null: it does. */
  retiredAt: number | null
}

export interface LinkKeys {
  getCurrent(): Promise<LinkKey>
  find(id: number): Promise<LinkKey | undefined>
}

/** Links to what Meadow serves itself: all that they say stands in them, signed (decision 0013). */
export interface SignedLinks extends BlobLinks {
  /** What the path of a link says; undefined for one that is none of ours, down to the last character. */
  read(path: string, now: number): Promise<ReadLink | undefined>
}

export interface ReadLink {
  link: BlobLink
  /** `ended`: its key was retired in a way that ended its links. */
  state: 'good' | 'expired' | 'ended'
}

/** Where links lead to: below it come what the link says, its signature, and a name for those who look. */
export const DOWNLOADS = '/downloads'

/** `/downloads/…` with what it says, and the signature of that. */
const PATH = /^\/downloads\/([\w-]{1,4000})\.[\w-]{43}\/[\w.-]{1,200}$/

export function createSignedLinks(keys: LinkKeys): SignedLinks {
  return {
    create: async (link) => writePath(link, await keys.getCurrent()),
    async read(path, now) {
      const said = PATH.exec(path)?.[1]
      const found = said === undefined ? undefined : readSaid(said)
      const key = found && (await keys.find(found.keyId))
      if (!key || !isSame(path, writePath(found.link, key))) return undefined
      return { link: found.link, state: stateOf(found.link, key, now) }
    },
  }
}

/** A link has one path only: there is no second way to write the same. */
function writePath(link: BlobLink, { id, secret }: LinkKey): string {
  const { expiresAt, digest, token, document, mediaType, fileName } = link
  const said = Buffer.from(
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
  const signature = createHmac('sha256', secret).update(said).digest('base64url')
  return `${DOWNLOADS}/${said}.${signature}/${toPlainName(fileName)}`
}

/** Nothing of it is to be believed before the signature was looked at. */
function readSaid(said: string): { keyId: number; link: BlobLink } | undefined {
  const [keyId, expiresAt, digest64, token, document, mediaType, fileName] = readList(said)
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

function readList(said: string): unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(said, 'base64url').toString())
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

const isKeyId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whoever got hold of a retired key can make no link that lasts longer than the last one that it signed for us. */
function stateOf({ expiresAt }: BlobLink, { retiredAt }: LinkKey, now: number): ReadLink['state'] {
  if (now >= expiresAt) return 'expired'
  return retiredAt !== null && expiresAt > retiredAt + LINK_LIFETIME_MS ? 'ended' : 'good'
}

const MAX_LENGTH = 100

/** A file name in letters that mean themselves in any address and on any disk: `Türme 7.gh` gives `Turme-7.gh`. */
export function toPlainName(fileName: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.\w+)?$/s.exec(fileName) ?? []
  const plain = stem
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH)
  return `${plain || 'export'}${extension}`
}
