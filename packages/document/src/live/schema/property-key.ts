/** The key of a property: its name, and ids inside the node or group, such as that of a port. */
export interface ParsedKey {
  name: string
  ids: readonly string[]
}

/** `position`, `value["port"]`, `wire["input","node","output"]` */
export function formatPropertyKey(name: string, ...ids: readonly string[]): string {
  return ids.length === 0 ? name : name + JSON.stringify(ids)
}

/**
 * Parses the key of a property. Undefined for text that `formatPropertyKey` does not write: each property has one key.
 */
export function findPropertyKey(text: string): ParsedKey | undefined {
  const start = text.indexOf('[')
  if (start < 0) return { name: text, ids: [] }
  const name = text.slice(0, start)
  const ids = parseJson(text.slice(start))
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string')) return undefined
  return formatPropertyKey(name, ...ids) === text ? { name, ids } : undefined
}

/** The value of JSON text; undefined for anything else. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
