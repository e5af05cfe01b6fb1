/** PostgreSQL takes 65,535 parameters in a statement, SQLite half of that; a row takes a few. */
const PORTION = 1000

/** The same in portions that fit into a statement. */
export function* inBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += PORTION) yield all.slice(at, at + PORTION)
}
