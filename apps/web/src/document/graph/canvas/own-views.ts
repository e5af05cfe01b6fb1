import type { View } from '../layout/view.ts'

/**
 * The key under which this browser keeps at most `MAX_VIEWS` views that a reader left documents at, the last one at the
 * end.
 */
const KEY = 'meadow.views'
const MAX_VIEWS = 100

type Entry = readonly [documentId: string, x: number, y: number, zoom: number]

/** Returns the entries with a new view of a document, which becomes the last one. */
export const addView = (entries: readonly Entry[], documentId: string, { x, y, zoom }: View): Entry[] => {
  const round = (value: number) => Number(value.toPrecision(6))
  const others = entries.filter(([id]) => id !== documentId)
  return [...others, [documentId, round(x), round(y), round(zoom)] as const].slice(-MAX_VIEWS)
}

export function findOwnView(documentId: string): View | undefined {
  const [, x, y, zoom] = readEntries().find(([id]) => id === documentId) ?? []
  return x !== undefined && y !== undefined && zoom !== undefined && zoom > 0 ? { x, y, zoom } : undefined
}

export function rememberView(documentId: string, view: View): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(addView(readEntries(), documentId, view)))
  } catch {
    // The storage may be full or not allowed: the document then opens at another view.
  }
}

function readEntries(): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEntry) : []
  } catch {
    return []
  }
}

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) &&
  typeof entry[0] === 'string' &&
  entry.slice(1, 4).every(Number.isFinite) &&
  entry.length === 4
