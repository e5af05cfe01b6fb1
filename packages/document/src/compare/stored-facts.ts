/**
 * Digests of what a file stores, by what stores it and by the name of the fact: the file itself has an empty key, an object
 * its id, an object in clusters the ids of the way to it with slashes. Names that begin with `~` are of facts that a document
 * shows, too. Layout and windows are not among them.
 */
export type StoredFacts = Record<string, Record<string, string>>

/** The names of facts that differ, in order. */
export function listChangedFacts(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => before[name] !== after[name]).sort()
}
