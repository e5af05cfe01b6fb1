import type { LiveDocument } from '@meadow/client/live'
import { rejectOn } from '../../harness/reject-on.ts'
import type { NamedServer } from '../parts/cluster.ts'
import { editOnce, open, readEdits } from './editors.ts'
import { type Edits, missingIn } from './ledger.ts'
import { pause } from './requests.ts'
import type { Work } from './work.ts'

/** The time in milliseconds in which an edit has to arrive at other clients when nothing is at fault. */
const ARRIVAL_MS = 5000
const WATCH_MS = 50
const VISIT_MS = 100
const EDIT_TIMEOUT_MS = 10_000
const EDITS_PER_VISIT = 3

/** Checks that acknowledged edits of a document arrive at a client of each server, until the work ends. */
export async function watch(work: Work): Promise<void> {
  await Promise.all(work.servers.map((server) => watchThrough(work, server)))
}

async function watchThrough(work: Work, server: NamedServer): Promise<void> {
  const { team, ledger, signal } = work
  const { id } = team.watched
  while (!signal.aborted) {
    const live = await open(work, id, server, team.viewer.cookie)
    if (!live) continue
    while (live.status === 'open' && !signal.aborted) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ARRIVAL_MS)])
      const isHere = await arrive(live, ledger.promised(id), limit)
      if (!isHere && live.status === 'open' && !signal.aborted)
        ledger.fail(`${server.name} did not pass on an edit that was made through another process.`)
      ledger.count('arrivals')
      await pause(WATCH_MS, signal)
    }
    live.close()
  }
}

/** Resolves with true once a client has these edits; with false when its connection is lost, or `limit` aborts. */
export async function arrive(
  live: Pick<LiveDocument, 'on' | 'read' | 'status'>,
  promised: Edits,
  limit: AbortSignal,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const check = () => {
    if (missingIn(readEdits(live.read()), promised).length === 0) resolve(true)
    else if (live.status !== 'open') resolve(false)
  }
  const stops = [live.on('change', check), live.on('status', check)]
  check()
  try {
    return await Promise.race([promise, rejectOn(limit)])
  } catch {
    return false
  } finally {
    for (const stop of stops) stop()
  }
}

/**
 * Opens a document through all servers, edits it through each, and leaves: their processes store snapshots of different
 * positions at about the same time. Repeats that until the work ends.
 */
export async function visit(work: Work): Promise<void> {
  const { team, servers, ledger, random, signal } = work
  const { id, nodes } = team.visited
  let number = 0
  while (!signal.aborted) {
    const opened = await Promise.all(servers.map((server) => open(work, id, server)))
    await Promise.all(
      opened.map(async (live) => {
        for (let times = random.whole(1, EDITS_PER_VISIT); live && times > 0; times--) {
          const edit = { node: nodes[++number % nodes.length]!, number }
          const timeout = AbortSignal.any([signal, AbortSignal.timeout(EDIT_TIMEOUT_MS)])
          if (await editOnce(live, edit, timeout)) ledger.promise(id, edit.node, edit.number)
          else ledger.doubt(id, edit.node)
        }
        live?.close()
      }),
    )
    ledger.count('visits')
    await pause(VISIT_MS, signal)
  }
}

const SNAPSHOT_MS = 20
const SNAPSHOTS = 'select document_id, format, seq from document_snapshot'

/** Notes the positions of all stored snapshots again and again, until the work ends. */
export async function watchSnapshots({ query, ledger, signal }: Work): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const { document_id, format, seq } of await query(SNAPSHOTS))
        ledger.noteSnapshot(`${format} of document ${document_id}`, Number(seq))
    } catch {
      // The database is at fault; the next query connects again.
    }
    await pause(SNAPSHOT_MS, signal)
  }
}
