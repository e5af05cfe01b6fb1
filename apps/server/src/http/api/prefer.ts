/** One preference of RFC 7240: `name`, or `name=value`, with parameters, which are ignored. */
const PREFERENCE =
  /\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]*)))?((?:"(?:[^"\\]|\\.)*"|[^",])*)(?:,|$)/gy

/** The longest wait that can be requested, in seconds. */
const MAX_WAIT_S = 30

/**
 * The seconds of `Prefer: wait=N`, at most 30; 0 without it, or when N is not a whole number. The first of several
 * counts (RFC 7240).
 */
export function readWait(prefer: string | string[] | undefined): number {
  if (prefer === undefined) return 0
  for (const [, name, quoted, plain] of String(prefer).matchAll(PREFERENCE)) {
    if (name?.toLowerCase() !== 'wait') continue
    const seconds = quoted ?? plain ?? ''
    return /^\d+$/.test(seconds) ? Math.min(Number(seconds), MAX_WAIT_S) : 0
  }
  return 0
}
