/** One preference of RFC 7240: `name`, or `name=value`, with parameters that we have no use for. */
const PREFERENCE =
  /\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]*)))?((?:"(?:[^"\\]|\\.)*"|[^",])*)(?:,|$)/gy

/** How long a held back answer can be asked for, in seconds. */
const MAX_WAIT_S = 30

/**
 * The seconds that `Prefer: wait=N` asks for, 30 at most; 0 without it, or when N is no whole number. Of several the
 * first one counts, as RFC 7240 has it.
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
