import type * as Y from 'yjs'
import type { DecodedUpdate, Struct } from './decode-update.ts'
import type { GONE, Place } from './place.ts'
import { createResolver } from './resolver.ts'
import { FaultyUpdate } from './update-fault.ts'

/** A piece of an update that the document does not have yet, and where it would stand. */
export interface NewStruct {
  struct: Struct
  place: Place | typeof GONE
}

/**
 * Finds out where each new piece of an update would stand, in an order in which Yjs could put them in.
 * Throws a `FaultyUpdate` where Yjs would wait for something else, and for a piece that has no place.
 */
export function resolveUpdate(doc: Y.Doc, { structs, deletions }: DecodedUpdate): NewStruct[] {
  const resolver = createResolver(doc)
  const resolved: NewStruct[] = []
  const queues = [...structs.values()].map((queue) => ({ queue, next: 0 }))
  for (let isMoving = true; isMoving; ) {
    isMoving = false
    for (const one of queues) {
      for (
        let struct = one.queue[one.next];
        struct && resolver.isReady(struct);
        struct = one.queue[one.next]
      ) {
        const place = resolver.resolve(struct)
        if (place) resolved.push({ struct, place })
        one.next++
        isMoving = true
      }
    }
  }
  const isWaiting = queues.some(({ queue, next }) => next < queue.length)
  if (
    isWaiting ||
    deletions.some(({ client, clock, length }) => clock + length > resolver.getState(client))
  ) {
    throw new FaultyUpdate('behind', 'it needs something that is not here')
  }
  return resolved
}
