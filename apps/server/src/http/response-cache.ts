import { LRUCache } from 'lru-cache'
import type { JsonBody } from './json-body.ts'

interface Kept {
  body: JsonBody
  teamVersion: number
}

/**
 * The bodies that were answered before, by team and address. One is good for as long as the team has the version
 * it was made at: every change of a team's tree, documents or tokens bumps that number in the same transaction.
 */
export class ResponseCache {
  readonly #bodies: LRUCache<string, Kept> | undefined

  /** `maxBytes` of uncompressed JSON, counted twice to leave room for compressed forms; 0 keeps nothing. */
  constructor(maxBytes: number) {
    // One answer may not push out everything else.
    if (maxBytes > 0)
      this.#bodies = new LRUCache({ maxSize: maxBytes, maxEntrySize: Math.ceil(maxBytes / 4) })
  }

  find(key: string, teamVersion: number): JsonBody | undefined {
    const kept = this.#bodies?.get(key)
    return kept?.teamVersion === teamVersion ? kept.body : undefined
  }

  /** The body that was kept last, when it is the one with this tag, whatever else of the team has changed since. */
  findTagged(key: string, tag: string): JsonBody | undefined {
    const body = this.#bodies?.get(key)?.body
    return body?.tag === tag ? body : undefined
  }

  keep(key: string, teamVersion: number, body: JsonBody): void {
    this.#bodies?.set(key, { body, teamVersion }, { size: 2 * body.size + key.length + 200 })
  }
}
