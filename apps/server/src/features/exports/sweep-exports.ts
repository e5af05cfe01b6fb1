import type { ExportStore } from './exports.store.ts'

const BATCH = 100

/** Forgets the files that nobody will be given any more, `now` in milliseconds since 1970; returns how many. */
export async function sweepExports(
  store: Pick<ExportStore, 'listStale' | 'drop'>,
  now: number,
): Promise<number> {
  let count = 0
  for (;;) {
    const files = await store.listStale(now, BATCH)
    if (files.length === 0) return count
    await store.drop(files)
    count += files.length
  }
}
