/**
 * One step of a patch. `path` leads to a part of the document by keys and ids, for example `nodes`, a node id, `state`,
 * `maximum`; a group is found by its id. An absent `before` or `after` means that the part does not exist.
 */
export type PatchOperation =
  /** Sets, adds or removes a part. */
  | { op: 'set'; path: string[]; before?: unknown; after?: unknown }
  /** Removes items of a list and inserts others, each behind another item; null: at the beginning. */
  | { op: 'list'; path: string[]; remove: unknown[]; insert: { item: unknown; after: unknown }[] }
  /** Puts groups in an order, by id. */
  | { op: 'order'; path: string[]; keys: string[] }

/** How a document becomes another one. Plain JSON. */
export interface Patch {
  format: 'meadow-patch'
  version: 1
  operations: PatchOperation[]
}

/**
 * How a part of a document is compared: as a whole (`value`), as a list, as lines of text, as port ids with their orders,
 * as groups, or member by member.
 */
export type Shape =
  | 'value'
  | 'list'
  /** A list that is absent when it is empty. */
  | 'optionalList'
  | 'lines'
  | 'orders'
  | { groups: Shape }
  /** A record by id. */
  | { each: Shape; isNode?: true }
  | { members: Readonly<Record<string, Shape>> }

const PORT: Shape = { members: { flags: 'list', options: 'optionalList' } }

const NODE: Shape = {
  members: {
    status: { members: {} },
    inputs: 'orders',
    outputs: 'orders',
    sources: { each: 'optionalList' },
    values: { each: 'value' },
    ports: { each: PORT },
    state: { members: { source: 'lines', imports: 'lines', members: 'lines', text: 'lines' } },
  },
}

const GRAPH = {
  nodes: { each: NODE, isNode: true },
  groups: { groups: { members: { nodeInstanceIds: 'list', groupIds: 'list' } } },
} as const satisfies Record<string, Shape>

const CLUSTER: { members: Record<string, Shape> } = { members: { ...GRAPH, ports: { each: 'value' } } }
CLUSTER.members.clusters = { each: CLUSTER }

/** The parts of a document that a patch is of. */
export const DOCUMENT = {
  members: {
    ...GRAPH,
    configuration: { members: { inputs: 'list', outputs: 'list' } },
    clusters: { each: CLUSTER },
  },
} as const satisfies Shape

/** The shape of a part of something of this shape. */
export function shapeOf(shape: Shape | undefined, key: string): Shape | undefined {
  if (typeof shape !== 'object') return undefined
  if ('each' in shape) return shape.each
  if ('groups' in shape) return shape.groups
  return Object.hasOwn(shape.members, key) ? shape.members[key] : 'value'
}

/** What an item of a list is compared by. */
export const keyOfItem = (item: unknown): string =>
  typeof item === 'string' ? item : JSON.stringify(item, Object.keys(item ?? {}).sort())

/** Port ids in the order that a record gives them; undefined where it leaves gaps. */
export function listOrdered(orders: unknown): string[] | undefined {
  const entries = Object.entries((orders ?? {}) as Record<string, unknown>)
  const ids: string[] = []
  for (const [id, order] of entries) if (typeof order === 'number') ids[order] = id
  return ids.length === entries.length && Object.keys(ids).length === entries.length ? ids : undefined
}
