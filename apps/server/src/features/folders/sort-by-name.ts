/** One language for everyone, so that the order does not depend on the machine. */
const collator = new Intl.Collator('en', { numeric: true })

/** Sorts in place: by name, numbers inside names by value (`Tower 2` before `Tower 10`), ties by id (decision 14). */
export function sortByName<T extends { id: string; name: string }>(items: T[]): T[] {
  return items.sort((a, b) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1))
}
