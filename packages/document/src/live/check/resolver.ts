import * as Y from 'yjs'
import { getRoots, ROOT_NAMES } from '../layout.ts'
import { createBrought } from './brought.ts'
import type { Id, Struct } from './decode-update.ts'
import { findLast, findPlace, GONE, isSamePlace, type Place } from './place.ts'
import { createSuccession } from './succession.ts'
import { FaultyUpdate } from './update-fault.ts'

/** A place, and the last that was written there, for one that says that it is the first. */
interface Found {
  place: Place | typeof GONE
  last?: Y.Item | undefined
}

/** Finds places for the pieces of one update, each as though those before it were in the document already. */
export function createResolver(doc: Y.Doc) {
  const roots = getRoots(doc)
  const brought = createBrought()
  const succession = createSuccession()

  const getStored = ({ client, clock }: Id): number => Y.getState(doc.store, client) - clock

  /** How much a client has written, what the update brings included. */
  const getState = (client: number) => brought.findEnd(client) ?? Y.getState(doc.store, client)

  const isThere = ({ client, clock }: Id) => clock < getState(client)

  /** What is in the document itself; undefined for what the update brings. */
  const findStored = (id: Id): Y.Item | Y.GC | undefined =>
    getStored(id) > 0 ? (Y.getItem(doc.store, Y.createID(id.client, id.clock)) as Y.Item | Y.GC) : undefined

  const placeOf = (id: Id): Place | typeof GONE => {
    const stored = findStored(id)
    return stored ? findPlace(roots, stored) : brought.get(id).place
  }

  const findInRoot = (name: string, key: string): Found => {
    const root = ROOT_NAMES.find((one) => one === name)
    if (!root) throw new FaultyUpdate('not_valid', 'a part that documents do not have')
    return { place: { root, id: key, fact: undefined }, last: findLast(roots[root], key) }
  }

  const findInRecord = (parent: Id, key: string): Found => {
    const place = placeOf(parent)
    if (place === GONE) return { place }
    const inside = { ...place, fact: key }
    const stored = findStored(parent)
    if (!stored) return { place: brought.get(parent).struct.content === 'record' ? inside : GONE }
    const content = stored instanceof Y.Item ? stored.content : undefined
    if (!(content instanceof Y.ContentType)) return { place: GONE }
    return { place: inside, last: findLast(content.type, key) }
  }

  const find = ({ origin, parent, key }: Struct): Found => {
    if (origin) return { place: placeOf(origin) }
    if (!parent || key === undefined) throw misplaced()
    return 'root' in parent ? findInRoot(parent.root, key) : findInRecord(parent, key)
  }

  const place = (struct: Struct, state: number): Place | typeof GONE => {
    const { client, clock, origin } = struct
    const found = find(struct)
    // Of a piece that is there in part, the rest follows that part.
    const before = clock < state ? { client, clock: state - 1 } : origin
    if (before) succession.follow(findStored(before), before, client)
    else succession.beginAt(found.last, client)
    if (clock < state && !isSamePlace(found.place, placeOf({ client, clock: state - 1 }))) throw misplaced()
    return found.place
  }

  return {
    getState,
    /** Whether all that it builds on is there. */
    isReady: (struct: Struct) =>
      struct.clock <= getState(struct.client) &&
      (!struct.origin || isThere(struct.origin)) &&
      (!struct.parent || 'root' in struct.parent || isThere(struct.parent)),
    /** The place of a piece that is ready; undefined for one that is there already. */
    resolve(struct: Struct): Place | typeof GONE | undefined {
      const state = getState(struct.client)
      if (struct.clock + struct.length <= state) return undefined
      const resolved = struct.content ? place(struct, state) : GONE
      brought.add(struct, resolved)
      return resolved
    },
  }
}

const misplaced = () => new FaultyUpdate('malformed', 'something where nothing can be')
