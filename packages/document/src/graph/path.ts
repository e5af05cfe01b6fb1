/** The address of a branch in a data tree: whole numbers, outermost first. */
export type Path = readonly number[]

const WHOLE_NUMBER = /^-?\d+$/
/** The limit of the text of a path, which no path of a solver reaches. */
const MAX_LENGTH = 10_000

/** Reads `{0;1}` (blanks allowed, `{}` is the empty path). Undefined for any other text. */
export function findPath(text: string): Path | undefined {
  const braced = text.trim()
  if (braced.length > MAX_LENGTH || !braced.startsWith('{') || !braced.endsWith('}')) return undefined
  const inside = braced.slice(1, -1).trim()
  if (inside === '') return []
  const parts = inside.split(';').map((part) => part.trim())
  if (!parts.every((part) => WHOLE_NUMBER.test(part))) return undefined
  const path = parts.map(Number)
  return path.every(Number.isSafeInteger) ? path : undefined
}

export function formatPath(path: Path): string {
  return `{${path.join(';')}}`
}

/** Path order: number by number from the outermost, a shorter path before those that continue it. */
export function comparePaths(a: Path, b: Path): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
