import type { S3Access, S3Keys } from './location.ts'

/** Resolves to the keys that are valid now. `isRefused`: the store has refused those that were returned before. */
export type GetKeys = (isRefused?: boolean) => Promise<S3Keys>

/**
 * Keys are fetched again this long before they expire, which is longer than the longest job of a child process takes.
 */
const EARLY_MS = 15 * 60_000
/** Keys that live for a shorter time than `EARLY_MS` are fetched again after this time. */
const MIN_FETCH_EVERY_MS = 60_000

/** Creates the source of the keys that a process uses itself, and hands to its children. */
export function createKeySource({ keys }: Pick<S3Access, 'keys'>): GetKeys {
  if (keys !== 'instance') return async () => keys
  let current: { keys: S3Keys; staleAt: number; expiresAt: number } | undefined
  let fetching: Promise<S3Keys> | undefined

  async function fetchKeys(): Promise<S3Keys> {
    // The library is loaded only where it is needed, since that takes a quarter of a second and some megabytes.
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = await defaultProvider()().catch(
      (cause) => {
        throw new Error(NO_KEYS, { cause })
      },
    )
    const fetched: S3Keys = {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
    }
    const expiresAt = expiration?.getTime() ?? Number.POSITIVE_INFINITY
    current = {
      keys: fetched,
      expiresAt,
      staleAt: Math.max(expiresAt - EARLY_MS, Date.now() + MIN_FETCH_EVERY_MS),
    }
    return fetched
  }

  return async (isRefused = false) => {
    if (current && !isRefused && Date.now() < current.staleAt) return current.keys
    fetching ??= fetchKeys().finally(() => {
      fetching = undefined
    })
    const before = current
    return fetching.catch((error) => {
      if (!isRefused && before && Date.now() < before.expiresAt) return before.keys
      throw error
    })
  }
}

const NO_KEYS =
  'There are no keys to the object store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine, ' +
  'container or pod a role that may use the bucket.'
