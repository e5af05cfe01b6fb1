import * as Y from 'yjs'
import type { Id } from './decode-update.ts'
import { FaultyUpdate } from './update-fault.ts'

/** So many things that others wrote an update may overlook: Yjs walks along them, and the next update does again. */
const MAX_OVERLOOKED = 5_000

/**
 * At each place of a document, each fact follows an earlier one. An honest editor's follows the last that the editor
 * knows of, and so never comes before one of its own. Without this rule a few kilobytes make Yjs walk for minutes.
 */
export function createSuccession() {
  const followed = new Set<string>()
  let overlooked = 0

  const checkOverlooked = (item: Y.Item, client: number) => {
    if (item.id.client === client) throw new FaultyUpdate('malformed', 'an editor that overlooks itself')
    overlooked++
    if (overlooked > MAX_OVERLOOKED)
      throw new FaultyUpdate('behind', 'too much of what others wrote is overlooked')
  }

  return {
    /** The first that its sender knows of; `last` is the last that is known here. */
    beginAt(last: Y.Item | undefined, client: number): void {
      for (let item = last ?? null; item; item = item.left) checkOverlooked(item, client)
    },
    /** One after another, which is `stored` in the document or comes with the same update. */
    follow(stored: Y.Item | Y.GC | undefined, origin: Id, client: number): void {
      const key = `${client} ${origin.client} ${origin.clock}`
      if (followed.has(key)) throw new FaultyUpdate('malformed', 'two that follow one')
      followed.add(key)
      if (!(stored instanceof Y.Item)) return
      if (origin.client === client && origin.clock < stored.lastId.clock) checkOverlooked(stored, client)
      for (let item = stored.right; item; item = item.right) checkOverlooked(item, client)
    },
  }
}
