import crypto from 'node:crypto'
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import zlib from 'node:zlib'
import { disconnect } from './virtual-network.ts'
import { afterTurn, currentProcess, noteThread, type VirtualProcess } from './virtual-time.ts'

/*
 * Lets several processes live in this one: each has connections to the database and calls of the file system of its own,
 * which end with it. It has to be imported before the code under test.
 */

const databases = new WeakMap<VirtualProcess, Set<DatabaseSync>>()
const known = new WeakSet<DatabaseSync>()

/** Ends a process without a warning. Its open transaction is rolled back, and nothing of it happens any more. */
export function kill(process: VirtualProcess): void {
  process.isAlive = false
  process.held = undefined
  disconnect(process)
  for (const database of databases.get(process) ?? []) if (database.isOpen) database.close()
}

function watchDatabases(): void {
  const { prototype } = DatabaseSync
  const note = (database: DatabaseSync) => {
    if (known.has(database)) return
    known.add(database)
    const process = currentProcess()
    if (!process) return
    const own = databases.get(process) ?? new Set()
    databases.set(process, own.add(database))
  }
  for (const name of ['prepare', 'exec'] as const) {
    const original = prototype[name] as (...given: unknown[]) => unknown
    prototype[name] = function (this: DatabaseSync, ...given: unknown[]) {
      note(this)
      return original.apply(this, given)
    } as never
  }
}

/** Calls of files end after a turn, and never in a process that is dead by then. */
async function delayFiles(): Promise<void> {
  const handle = await open(process.execPath)
  const prototype = Object.getPrototypeOf(handle) as object
  await handle.close()
  for (const calls of [fs.promises, prototype] as Record<string, unknown>[]) {
    for (const name of Object.getOwnPropertyNames(calls)) {
      const original = calls[name]
      const isCall = typeof original === 'function' && name !== 'constructor' && !name.startsWith('create')
      if (!isCall || name === 'watch' || name === 'readLines' || name === 'readableWebStream') continue
      calls[name] = function (this: unknown, ...given: unknown[]) {
        const result: unknown = original.apply(this, given)
        return result instanceof Promise ? afterTurn(result) : result
      }
    }
  }
}

/** Each statement ends after a turn, so that the other processes work between two of them. */
const REWRITTEN: Record<string, [before: string, after: string][]> = {
  'apps/server/src/platform/database/observe-database.ts': [
    ['if (!isRecording()) return work()', 'return globalThis.afterTurn(work())'],
  ],
  'apps/server/src/platform/database/sqlite/sqlite.ts': [['if (!isTracing()) return read', '']],
}

const JOBS = 'packages/processes/src/job-process.ts'

function rewriteModules(): void {
  Object.assign(globalThis, { afterTurn })
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      // Jobs run in this process, without the limits that children have.
      if (resolved.url.endsWith(JOBS) && !context.parentURL?.includes('/bench/src/simulation/'))
        return { ...resolved, url: new URL('./virtual-job.ts', import.meta.url).href }
      return resolved
    },
    load(url, context, next) {
      const loaded = next(url, context)
      const name = Object.keys(REWRITTEN).find((path) => url.endsWith(path))
      if (name === undefined) return loaded
      const source = REWRITTEN[name]!.reduce((text, [before, after]) => {
        if (!text.includes(before)) throw new Error(`${name} does not contain "${before}" any more.`)
        return text.replace(before, after)
      }, String(loaded.source))
      return { ...loaded, source }
    },
  })
}

/** Compression and the hashes of passwords are done by the thread of the pool, which Node does not tell. */
function watchThread(): void {
  const streams = [
    ...[zlib.createGzip(), zlib.createInflate(), zlib.createBrotliCompress(), zlib.createBrotliDecompress()],
    ...[zlib.createZstdCompress(), zlib.createZstdDecompress()],
  ] as unknown as { _handle: object; close(): void }[]
  const prototypes = new Set(streams.map(({ _handle }) => Object.getPrototypeOf(_handle) as object))
  const noting = (calls: object, name: string) => {
    const owner = calls as Record<string, (...given: unknown[]) => unknown>
    const original = owner[name]!
    owner[name] = function (this: unknown, ...given: unknown[]) {
      noteThread()
      return original.apply(this, given)
    }
  }
  for (const prototype of prototypes) noting(prototype, 'write')
  for (const name of ['scrypt', 'hkdf', 'pbkdf2', 'argon2']) noting(crypto, name)
  for (const stream of streams) stream.close()
}

watchDatabases()
watchThread()
await delayFiles()
rewriteModules()
syncBuiltinESMExports()
