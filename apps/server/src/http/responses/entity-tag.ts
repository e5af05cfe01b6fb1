import { hash } from 'node:crypto'

/** A strong entity tag of these bytes. Each encoding of a body has its own (RFC 9110, 8.8.3.3). */
export const entityTag = (bytes: Uint8Array): string => `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`

/** The tag of the same content in another encoding. */
export const encodedTag = (tag: string, encoding: string): string => `${tag.slice(0, -1)}-${encoding}"`

/**
 * Whether `If-None-Match` names this tag, so that the response is 304. The comparison is weak, as RFC 9110 13.1.2
 * requires, since proxies turn strong tags into weak ones when they compress.
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((listed) => listed.trim().replace(/^W\//, '') === tag)
}
