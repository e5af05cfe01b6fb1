/**
 * A record without a prototype, so that `__proto__` or `constructor` are ordinary keys.
 * Of two equal keys the later wins.
 */
export function createRecord<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const record: Record<string, T> = Object.create(null)
  for (const [key, value] of entries) record[key] = value
  return record
}
