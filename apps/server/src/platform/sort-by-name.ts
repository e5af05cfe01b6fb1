/** The locale is fixed, so that the order does not depend on the machine. */
const collator = new Intl.Collator('en', { numeric: true })

/** Compares names, with numbers inside them by value: `Tower 2` is before `Tower 10` (decision 14). */
export const compareNames = (a: string, b: string): number => collator.compare(a, b)

/** Sorts in place: by name, ties by id. */
export function sortByName<T extends { id: string; name: string }>(items: T[]): T[] {
  return items.sort((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1))
}
