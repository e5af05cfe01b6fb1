/** Ids of nodes, shortened as far as they stay unique, like the hashes of commits in Git. */
export interface ShortIds {
  /** Returns the short form of an id, or the id itself if it is none of the given ones. */
  shorten(id: string): string
  /**
   * Returns the ids that begin with `prefix`: one, if it is a short form or an id; none, if it is shorter than any
   * short form.
   */
  resolve(prefix: string): string[]
}

/**
 * The minimum length of a short form. Three characters are enough for most documents, and a shorter form would change
 * with every node that is added.
 */
const MIN_LENGTH = 3

export function createShortIds(ids: Iterable<string>): ShortIds {
  const sorted = [...ids].sort()
  const short = new Map<string, string>()
  for (const [i, id] of sorted.entries()) {
    const shared = Math.max(countShared(id, sorted[i - 1]), countShared(id, sorted[i + 1]))
    short.set(id, id.slice(0, Math.max(MIN_LENGTH, shared + 1)))
  }
  return {
    shorten: (id) => short.get(id) ?? id,
    resolve: (prefix) =>
      short.has(prefix)
        ? [prefix]
        : sorted.filter(
            (id) => prefix.length >= MIN_LENGTH && id.toLowerCase().startsWith(prefix.toLowerCase()),
          ),
  }
}

/** Returns the length of the common beginning of two texts. */
function countShared(text: string, other = ''): number {
  let count = 0
  while (count < text.length && text[count] === other[count]) count++
  return count
}
