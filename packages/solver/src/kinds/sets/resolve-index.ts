import type { KindContext } from '../declaration/define-kind.ts'

/** What a component that takes items out by their indices says of others. */
export const BEYOND_LIST = 'What indices beyond a list give is not published'

/** Whether all indices are in a list; reports a limit otherwise. */
export function areWithin(
  indices: Iterable<number>,
  { length }: readonly unknown[],
  context: KindContext,
  message = BEYOND_LIST,
): boolean {
  const isWithin = [...indices].every((index) => index >= 0 && index < length)
  if (!isWithin) context.limit(message)
  return isWithin
}

/** Resolves an index into a list; with `wrap` it wraps around. Undefined for indices out of range. */
export function resolveIndex(index: number, length: number, wrap: boolean): number | undefined {
  if (length === 0) return undefined
  if (wrap) return ((index % length) + length) % length
  return index >= 0 && index < length ? index : undefined
}
