import * as Y from 'yjs'
import { getRoots, isPropertyMap, ROOT_NAMES, type RootName, type Roots } from '../schema/layout.ts'
import type { DecodedUpdate, Id, Struct } from './decode-update.ts'
import { RejectedUpdate } from './update-rejection.ts'

/** A location in a live document: a node, group or pin, or a property of a node or group. */
export interface Location {
  root: RootName
  /** The key of the node, group or pin. */
  id: string
  property: string | undefined
}

/** The location of a struct whose parent was deleted: such a struct has no effect. */
export const NO_LOCATION = 'gone'

/** A struct of an update that the document does not have yet, and its location. */
export interface NewStruct {
  struct: Struct
  location: Location | typeof NO_LOCATION
}

/**
 * Resolves the location of each new struct of an update, in an order in which Yjs could integrate them.
 * Throws a `RejectedUpdate` if Yjs would have to wait for another struct, and for a struct that has no location.
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
        const location = resolver.resolve(struct)
        if (location) resolved.push({ struct, location })
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
    throw new RejectedUpdate('behind', 'it needs something that is not here')
  }
  return resolved
}

/** A location, with the last item written there for a struct that claims to be the first. */
interface Found {
  location: Location | typeof NO_LOCATION
  last?: Y.Item | undefined
}

/** Resolves the structs of one update one by one, as though the earlier ones were in the document already. */
function createResolver(doc: Y.Doc) {
  const roots = getRoots(doc)
  const incoming = createIncoming()
  const succession = createSuccession()

  const getStored = ({ client, clock }: Id): number => Y.getState(doc.store, client) - clock

  /** The clock of a client, including what the update brings. */
  const getState = (client: number) => incoming.findEnd(client) ?? Y.getState(doc.store, client)

  const isPresent = ({ client, clock }: Id) => clock < getState(client)

  /** The struct in the document itself; undefined for one that the update brings. */
  const findStored = (id: Id): Y.Item | Y.GC | undefined =>
    getStored(id) > 0 ? (Y.getItem(doc.store, Y.createID(id.client, id.clock)) as Y.Item | Y.GC) : undefined

  const locationOf = (id: Id): Location | typeof NO_LOCATION => {
    const stored = findStored(id)
    return stored ? findLocation(roots, stored) : incoming.get(id).location
  }

  const findInRoot = (name: string, key: string): Found => {
    const root = ROOT_NAMES.find((one) => one === name)
    if (!root) throw new RejectedUpdate('not_valid', 'a part that documents do not have')
    return { location: { root, id: key, property: undefined }, last: findLast(roots[root], key) }
  }

  const findInRecord = (parent: Id, key: string): Found => {
    const location = locationOf(parent)
    if (location === NO_LOCATION) return { location }
    const inside = { ...location, property: key }
    const stored = findStored(parent)
    if (!stored) return { location: incoming.get(parent).struct.content === 'record' ? inside : NO_LOCATION }
    const content = stored instanceof Y.Item ? stored.content : undefined
    if (!(content instanceof Y.ContentType)) return { location: NO_LOCATION }
    return { location: inside, last: findLast(content.type, key) }
  }

  const find = ({ origin, parent, key }: Struct): Found => {
    if (origin) return { location: locationOf(origin) }
    if (!parent || key === undefined) throw misplaced()
    return 'root' in parent ? findInRoot(parent.root, key) : findInRecord(parent, key)
  }

  const locate = (struct: Struct, state: number): Location | typeof NO_LOCATION => {
    const { client, clock, origin } = struct
    const { location, last } = find(struct)
    // If the document has the first part of a struct, the rest follows that part.
    const before = clock < state ? { client, clock: state - 1 } : origin
    if (before) succession.follow(findStored(before), before, client)
    else succession.beginAt(last, client)
    if (clock < state && !isSameLocation(location, locationOf({ client, clock: state - 1 })))
      throw misplaced()
    return location
  }

  return {
    getState,
    /** Whether everything that the struct builds on is present. */
    isReady: (struct: Struct) =>
      struct.clock <= getState(struct.client) &&
      (!struct.origin || isPresent(struct.origin)) &&
      (!struct.parent || 'root' in struct.parent || isPresent(struct.parent)),
    /** The location of a struct that is ready; undefined for one that the document has already. */
    resolve(struct: Struct): Location | typeof NO_LOCATION | undefined {
      const state = getState(struct.client)
      if (struct.clock + struct.length <= state) return undefined
      const location = struct.content ? locate(struct, state) : NO_LOCATION
      incoming.add({ struct, location })
      return location
    },
  }
}

const misplaced = () => new RejectedUpdate('malformed', 'something where nothing can be')

/** The resolved structs of an update, by client in the order of clocks. */
function createIncoming() {
  const lists = new Map<number, NewStruct[]>()
  return {
    add(added: NewStruct): void {
      const list = lists.get(added.struct.client)
      if (list) list.push(added)
      else lists.set(added.struct.client, [added])
    },
    /** The clock after the last struct of a client; undefined for an unknown client. */
    findEnd(client: number): number | undefined {
      const last = lists.get(client)?.at(-1)?.struct
      return last && last.clock + last.length
    },
    /** The struct that covers a clock, which must be among them. */
    get({ client, clock }: Id): NewStruct {
      const list = lists.get(client)!
      let [low, high] = [0, list.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if (list[middle]!.struct.clock <= clock) low = middle
        else high = middle - 1
      }
      return list[low]!
    },
  }
}

/** How many items of other clients an update may overlook: Yjs walks along them, and does so again for the next update. */
const MAX_OVERLOOKED = 5_000

/**
 * At each location, each item follows an earlier one. An item of an honest editor follows the last one that the editor
 * knows, and so never precedes one of its own. Without this rule a few kilobytes make Yjs walk for minutes.
 */
function createSuccession() {
  const followed = new Set<string>()
  let overlooked = 0

  const checkOverlooked = (item: Y.Item, client: number) => {
    if (item.id.client === client) throw new RejectedUpdate('malformed', 'an editor that overlooks itself')
    overlooked++
    if (overlooked > MAX_OVERLOOKED)
      throw new RejectedUpdate('behind', 'too much of what others wrote is overlooked')
  }

  return {
    /** Checks an item that claims to be the first at its location; `last` is the last one known here. */
    beginAt(last: Y.Item | undefined, client: number): void {
      for (let item = last ?? null; item; item = item.left) checkOverlooked(item, client)
    },
    /** Checks an item that follows `origin`, which is `stored` in the document or comes with the same update. */
    follow(stored: Y.Item | Y.GC | undefined, origin: Id, client: number): void {
      const key = `${client} ${origin.client} ${origin.clock}`
      if (followed.has(key)) throw new RejectedUpdate('malformed', 'two that follow one')
      followed.add(key)
      if (!(stored instanceof Y.Item)) return
      if (origin.client === client && origin.clock < stored.lastId.clock) checkOverlooked(stored, client)
      for (let item = stored.right; item; item = item.right) checkOverlooked(item, client)
    },
  }
}

const isSameLocation = (a: Location | typeof NO_LOCATION, b: Location | typeof NO_LOCATION): boolean =>
  a === NO_LOCATION || b === NO_LOCATION
    ? a === b
    : a.root === b.root && a.id === b.id && a.property === b.property

/** The location of a struct in the document. */
function findLocation(roots: Roots, struct: Y.Item | Y.GC): Location | typeof NO_LOCATION {
  if (!(struct instanceof Y.Item) || struct.parentSub === null) return NO_LOCATION
  const own = findRootName(roots, struct.parent)
  if (own) return { root: own, id: struct.parentSub, property: undefined }
  const above = struct.parent instanceof Y.AbstractType ? struct.parent : undefined
  const root = findRootName(roots, above?.parent)
  const id = above?._item?.parentSub
  return root && typeof id === 'string' ? { root, id, property: struct.parentSub } : NO_LOCATION
}

/** The last item written under a key of a record, deleted or not. */
function findLast(record: unknown, key: string): Y.Item | undefined {
  return isPropertyMap(record) ? record._map.get(key) : undefined
}

function findRootName(roots: Roots, type: unknown): RootName | undefined {
  return ROOT_NAMES.find((name) => roots[name] === type)
}
