import { syncBuiltinESMExports } from 'node:module'
import sqlite from 'node:sqlite'

/*
 * Moves the clock of a process that is started with `--import` of this file: its own, and that of its SQLite database,
 * which asks the same one.
 */

/** By how many milliseconds the clock is ahead. */
export const AHEAD_VARIABLE = 'TEST_CLOCK_AHEAD_MS'

// biome-ignore lint/style/noProcessEnv: a process that is started for a test learns it from there.
const aheadMs = Number(process.env[AHEAD_VARIABLE] ?? 0)

if (aheadMs !== 0) {
  const now = Date.now
  const moved = () => now() + aheadMs
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, self) =>
      Reflect.construct(target, given.length === 0 ? [moved()] : given, self),
    get: (target, name, self) => (name === 'now' ? moved : Reflect.get(target, name, self)),
  })
  const Original = sqlite.DatabaseSync
  sqlite.DatabaseSync = class extends Original {
    constructor(...given: ConstructorParameters<typeof Original>) {
      super(...given)
      this.function('unixepoch', { varargs: true }, () => moved() / 1000)
    }
  }
  syncBuiltinESMExports()
}
