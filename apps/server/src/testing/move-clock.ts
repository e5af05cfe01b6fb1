import { type FileHandle, open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

/*
 * Moves the clock of a process that is started with `--import` of this file: its own, that of its SQLite database, which
 * asks the same one, and that of the files that it writes durably.
 */

/** By how many milliseconds the clock is ahead at the start. Without it, the clock stays as it is. */
export const AHEAD_VARIABLE = 'TEST_CLOCK_AHEAD_MS'

// biome-ignore lint/style/noProcessEnv: a process that is started for a test learns it from there.
const ahead = process.env[AHEAD_VARIABLE]
let aheadMs = Number(ahead ?? 0)

/** Moves the clock ahead by this many milliseconds more. */
export function moveClock(ms: number): void {
  aheadMs += ms
}

/** Replaces the clock by one that says the time in milliseconds since 1970. */
export async function replaceClock(now: () => number): Promise<void> {
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self),
    get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
  })
  // The class itself cannot be replaced: imports by name have the one of Node.
  const { prototype } = DatabaseSync
  const { prepare } = prototype
  const known = new WeakSet<DatabaseSync>()
  prototype.prepare = function (this: DatabaseSync, ...given) {
    if (!known.has(this)) this.function('unixepoch', { varargs: true }, () => now() / 1000)
    known.add(this)
    return prepare.apply(this, given)
  }
  // Files that are written durably have this time too, as blobs, whose age counts.
  const handle = await open(process.execPath)
  const files = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { datasync } = files
  files.datasync = async function (this: FileHandle) {
    await datasync.call(this)
    await this.utimes(now() / 1000, now() / 1000)
  }
}

if (ahead !== undefined) {
  const { now } = Date
  await replaceClock(() => now() + aheadMs)
}
