/**
 * The place in a list of `length` that an index means: itself, or with `wrap` counted on around the ends.
 * Undefined where there is none.
 */
export function resolveIndex(index: number, length: number, wrap: boolean): number | undefined {
  if (length === 0) return undefined
  if (wrap) return ((index % length) + length) % length
  return index >= 0 && index < length ? index : undefined
}
