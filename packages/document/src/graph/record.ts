/**
 * A record without a prototype, so that a key such as `__proto__` or `constructor` is a key like any other.
 * Of two equal keys the later wins.
 */
export function createRecord<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const record: Record<string, T> = Object.create(null)
  for (const [key, value] of entries) record[key] = value
  return record
}
