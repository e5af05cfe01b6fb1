import type { ChildProcess } from 'node:child_process'
import { readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listTree, readProcessFigures } from '../harness/process-figures.ts'
import { runTask } from '../harness/processes.ts'
import type { Held, HoursTask } from './server/hours.ts'

/** One sample: what a service holds, by the name of the measure. Names that end with "bytes" are sizes. */
export type Sample = Record<string, number>

/**
 * The tables whose rows are kept for good, or up to a number that no run reaches, and how many of them an operation adds
 * at most: what was spent, tokens that were revoked, what each of them read on a day, and what left the change feed.
 */
export const KEPT: Readonly<Record<string, number>> = {
  audit_event: 12,
  credit_entry: 4,
  token: 1,
  token_reads: 4,
  happening: 12,
}

/** Where the parts of a service are. */
export interface Places {
  child: ChildProcess
  /** The data folder, the folder for temporary files, and the log. */
  dataDir: string
  temporary: string
  logFile: string
}

/** Asks the server for something, and waits until that is done. */
export const ask = <T>(child: ChildProcess, task: HoursTask): Promise<T> => runTask(child, 'The server', task)

export async function takeSample(places: Places): Promise<Sample> {
  const { child, dataDir, temporary, logFile } = places
  const pid = child.pid!
  const held = await ask<Held>(child, { do: 'look' })
  const files = await listFiles(dataDir)
  const blobs = files.filter(({ path }) => path.startsWith(`${join(dataDir, 'blobs')}/`))
  const database = files.filter(({ path }) => path.includes('meadow.sqlite'))
  const sizeOf = (some: readonly { bytes: number }[]) => some.reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    'resident bytes': readProcessFigures(pid).residentBytes ?? 0,
    'heap bytes': held.heapBytes,
    'external bytes': held.externalBytes,
    'event emitters': held.emitters,
    'listeners of the process': held.listeners,
    handles: held.handles,
    timers: held.timers,
    ...(await countDescriptors(pid)),
    processes: listTree(pid).length,
    'blob bytes': sizeOf(blobs),
    blobs: blobs.length,
    'other files': files.length - blobs.length - database.length,
    'temporary files': (await listFiles(temporary)).length,
    'log bytes': (await stat(logFile)).size,
    ...readDatabase(join(dataDir, 'meadow.sqlite')),
    'write-ahead log bytes': sizeOf(database.filter(({ path }) => path.endsWith('-wal'))),
  }
}

async function listFiles(folder: string): Promise<{ path: string; bytes: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => [{ path, bytes: size }],
        () => [],
      ),
    ),
  )
  return files.flat()
}

/** Counts open files and sockets; nothing on systems other than Linux. */
async function countDescriptors(pid: number): Promise<Sample> {
  const folder = `/proc/${pid}/fd`
  const numbers = await readdir(folder).catch(() => [])
  const targets = await Promise.all(numbers.map((number) => readlink(join(folder, number)).catch(() => '')))
  const sockets = targets.filter((target) => target.startsWith('socket:')).length
  return { sockets, 'open files': targets.length - sockets }
}

/** Counts the rows of each table, and the bytes in use. */
function readDatabase(path: string): Sample {
  using database = new DatabaseSync(path, { readOnly: true })
  const listed = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'
        and name not like 'sqlite_%' and (name not like 'document_search_%' or name like '%_docsize')`,
    )
    .all() as { name: string }[]
  const count = (table: string) =>
    database.prepare(`select count(*) as count from "${table}"`).get()!.count as number
  const besideKept = `select sum(pgsize) as bytes from dbstat join sqlite_schema on sqlite_schema.name = dbstat.name
    where tbl_name not in (${Object.keys(KEPT).map(() => '?')})`
  return {
    'database bytes beside what is kept': database.prepare(besideKept).get(...Object.keys(KEPT))!
      .bytes as number,
    ...Object.fromEntries(listed.map(({ name }) => [`rows of ${name}`, count(name)])),
  }
}

/** The time in milliseconds after which a server that has done what is due has said that it lives. */
const SIGN_OF_LIFE_MS = 60_000

/** Tells whether work is under way at this time by the clock of the server, or the server has not noticed the time. */
export function isBusy(dataDir: string, now: number): boolean {
  using database = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { readOnly: true })
  const held = `select (select count(*) from solve where state in ('queued', 'running')) +
    (select count(*) from webhook_delivery where lease_until > $now) +
    (select count(*) from service_clock where seen_at < $now - ${SIGN_OF_LIFE_MS}) as count`
  return database.prepare(held).get({ now })!.count !== 0
}
