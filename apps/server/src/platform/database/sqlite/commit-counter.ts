import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Listener, Subscription } from '../database.ts'

/** Tells that something was committed, without a query. */
export interface CommitCounter {
  /** Another number than last time when there was a commit in between; undefined when that cannot be told. */
  read(): number | undefined
  /** To be called once the database is closed. */
  close(): void
}

/** The first copy of the header of the WAL index. */
const HEADER_BYTES = 48

/** What this process has open of each file, by its path. */
const openFiles = new Map<string, { marks: number; descriptors: number[] }>()

/**
 * The mark of the database at `path`, which has to be open in WAL mode. Every commit, of every process, writes the
 * header of the WAL index in the `-shm` file (sqlite.org/walformat.html, section 2.2). To read it takes 1 µs, the
 * cheapest query 3 to 4, and an API request makes one of either.
 *
 * When a process closes any descriptor of a file, the system drops all locks that it holds on it, SQLite's too
 * (sqlite.org/howtocorrupt.html, section 2.2): another process could then reset the log that a reader here reads. So
 * no descriptor is closed while this process has the same database open a second time.
 */
export function openCommitCounter(path: string): CommitCounter {
  const place = resolve(path)
  const file = openSync(`${place}-shm`, 'r')
  const opened = openFiles.get(place) ?? { marks: 0, descriptors: [] }
  openFiles.set(place, opened)
  opened.marks++
  opened.descriptors.push(file)
  const last = Buffer.alloc(HEADER_BYTES)
  const now = Buffer.alloc(HEADER_BYTES)
  let mark = 0
  return {
    read() {
      if (readSync(file, now, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
      if (!now.equals(last)) {
        now.copy(last)
        mark++
      }
      return mark
    },
    close() {
      if (--opened.marks > 0) return
      openFiles.delete(place)
      opened.descriptors.forEach(closeSync)
    },
  }
}

/** To look costs a microsecond; this long is what another process may lag behind. */
const LOOK_EVERY_MS = 15

/** `Database.watch` on SQLite, which tells nobody of a commit: the commit mark is looked at again and again. */
export function subscribeToSqlite(readCommitMark: () => number | undefined, tell: Listener): Subscription {
  let seen = readCommitMark()
  const timer = setInterval(() => {
    const mark = readCommitMark()
    if (mark !== undefined && mark === seen) return
    seen = mark
    tell(undefined)
  }, LOOK_EVERY_MS)
  timer.unref()
  return { close: async () => clearInterval(timer) }
}
