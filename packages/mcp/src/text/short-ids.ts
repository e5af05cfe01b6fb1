/** Ids of nodes, as short as they can be without two of them being the same: as Git shortens its hashes. */
export interface ShortIds {
  /** The short form of an id; an id that is none of these stays as it is. */
  shorten(id: string): string
  /** The ids that begin with `prefix`: one, if it is a short form or an id. None if it is shorter than any short form. */
  resolve(prefix: string): string[]
}

/** Three characters are enough for most documents, and a shorter one would change with every node that is added. */
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

/** How many characters two texts have in common at their beginnings. */
function countShared(text: string, other = ''): number {
  let count = 0
  while (count < text.length && text[count] === other[count]) count++
  return count
}
