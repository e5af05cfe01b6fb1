/** The key of a fact: its name, and the ids of what in the node or group it is about. */
export interface FactKey {
  name: string
  ids: readonly string[]
}

/** `position`, `value["port"]`, `wire["input","node","output"]` */
export function formatFactKey(name: string, ...ids: readonly string[]): string {
  return ids.length === 0 ? name : name + JSON.stringify(ids)
}

/** Undefined for text that `formatFactKey` does not write: each fact has one key. */
export function findFactKey(text: string): FactKey | undefined {
  const start = text.indexOf('[')
  if (start < 0) return { name: text, ids: [] }
  const name = text.slice(0, start)
  const ids = parseFact(text.slice(start))
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string')) return undefined
  return formatFactKey(name, ...ids) === text ? { name, ids } : undefined
}

/** The value of a fact's text; undefined where it is no JSON text. */
export function parseFact(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
