/** It is made when names are first compared: that takes a tenth of the time of a short command. */
let collator: Intl.Collator | undefined

/** Compares names, with numbers inside them by value: `Tower 2` is before `Tower 10` (decision 14). */
export function compareNames(a: string, b: string): number {
  // The locale is fixed, so that the order does not depend on the machine.
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(a, b)
}

/** Sorts in place: by name, ties by id. */
export function sortByName<T extends { id: string; name: string }>(items: T[]): T[] {
  return items.sort((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1))
}
