/** PostgreSQL accepts 65,535 parameters in a statement, SQLite half as many; a row takes a few. */
const BATCH = 1000

/** Splits a list into batches that fit into a statement. */
export function* inBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH)
}
