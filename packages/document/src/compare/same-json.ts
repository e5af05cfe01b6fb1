/** Deeper than any document. Values nested even deeper count as different. */
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
  const keys = listKeys(a)
  return (
    keys.length === listKeys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(get(a, key), get(b, key), depth + 1))
  )
}

function listKeys(record: object): string[] {
  return Object.keys(record).filter((key) => get(record, key) !== undefined)
}

function get(record: object, key: string): unknown {
  return (record as Record<string, unknown>)[key]
}
