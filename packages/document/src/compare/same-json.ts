/** The limit of nesting, which no document reaches. Values nested even deeper count as different. */
const MAX_DEPTH = 100

/** Whether two values have the same JSON, which has only one zero and omits undefined members. */
export function sameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > MAX_DEPTH) return false
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, i) => sameJson(value, b[i], depth + 1))
  }
  return sameRecords(a as Record<string, unknown>, b as Record<string, unknown>, depth)
}

/** Compares records without making lists of keys only to count them: documents have a hundred thousand records. */
function sameRecords(a: Record<string, unknown>, b: Record<string, unknown>, depth: number): boolean {
  let missing = 0
  for (const key of Object.keys(a)) {
    const value = a[key]
    if (value === undefined) continue
    missing++
    if (!Object.hasOwn(b, key) || !sameJson(value, b[key], depth + 1)) return false
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) missing--
  return missing === 0
}
