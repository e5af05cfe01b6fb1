import { MeadowError } from './errors.ts'
import type { DataTree, DataValue, Document, JsonNumber, Solution } from './generated/types.ts'

/** A row of a table: one value. */
export interface TreeRow<Value = PlainValue> {
  /** The path of the branch, such as `{0;1}`. */
  path: string
  /** The position in the branch, from 0. */
  index: number
  /** The type, such as `number` or `point`; null for an absent value. */
  type: DataValue['type'] | null
  value: Value
}

/** One value of a tree, with its place. */
export interface TreeEntry<Value = PlainValue> extends TreeRow<Value> {
  /** The value as the API returns it: with its type, and its geometry if that was requested. Null: an absent value. */
  item: DataValue | null
}

/**
 * A value in JavaScript's terms: a number (also NaN and the infinities, which JSON has as strings), text, boolean, `[x,
 * y, z]`, or an object whose shape depends on the type. Null: an absent value.
 */
export type PlainValue = WithNumbers<DataValue['value']> | null

/** Replaces the strings by which JSON expresses NaN and the infinities with numbers. */
type WithNumbers<Value> = Value extends JsonNumber
  ? number
  : Value extends object
    ? { [Name in keyof Value]: WithNumbers<Value[Name]> }
    : Value

/** The values of a port: lists (branches), each under a path. Trees do not change; each method returns a new one. */
export class Tree<Value = PlainValue> implements Iterable<TreeEntry<Value>> {
  readonly #branches: ReadonlyMap<string, readonly TreeEntry<Value>[]>

  private constructor(branches: ReadonlyMap<string, readonly TreeEntry<Value>[]>) {
    this.#branches = branches
  }

  /** Creates a tree from the JSON of the API. */
  static of({ branches }: DataTree): Tree {
    return new Tree(
      new Map(
        branches.map(({ path, values }) => [
          path,
          values.map((item, index) => ({
            path,
            index,
            type: item?.type ?? null,
            value: toPlain(item),
            item,
          })),
        ]),
      ),
    )
  }

  /** Iterates over all values with their places, branch by branch. */
  *[Symbol.iterator](): Generator<TreeEntry<Value>, void, undefined> {
    for (const entries of this.#branches.values()) yield* entries
  }

  /** The number of values. */
  get size(): number {
    let size = 0
    for (const entries of this.#branches.values()) size += entries.length
    return size
  }

  /** The paths of the branches, in order, such as `{0;1}`. */
  get paths(): string[] {
    return [...this.#branches.keys()]
  }

  /** All values in one list. */
  get values(): Value[] {
    return [...this].map(({ value }) => value)
  }

  /** Returns the values of a branch, by its path (`{0;1}`, or `[0, 1]`); empty when there is no such branch. */
  branch(path: string | readonly number[]): Value[] {
    const entries = this.#branches.get(typeof path === 'string' ? path : `{${path.join(';')}}`)
    return (entries ?? []).map(({ value }) => value)
  }

  /** Returns the values that pass the test, in the same places. Branches that become empty are left out. */
  filter(test: (entry: TreeEntry<Value>) => boolean): Tree<Value> {
    return this.#change((entries) => entries.filter(test))
  }

  /** Returns a tree with other values in the same places. */
  map<Other>(change: (entry: TreeEntry<Value>) => Other): Tree<Other> {
    return new Tree(
      new Map(
        [...this.#branches].map(([path, entries]) => [
          path,
          entries.map((entry) => ({ ...entry, value: change(entry) })),
        ]),
      ),
    )
  }

  /** Returns all values in one branch, `{0}`. */
  flatten(): Tree<Value> {
    const entries = [...this].map((entry, index) => ({ ...entry, path: '{0}', index }))
    return new Tree(new Map(entries.length > 0 ? [['{0}', entries]] : []))
  }

  /** Returns one row for each value. */
  rows(): TreeRow<Value>[] {
    return [...this].map(({ path, index, type, value }) => ({ path, index, type, value }))
  }

  #change(change: (entries: readonly TreeEntry<Value>[]) => readonly TreeEntry<Value>[]): Tree<Value> {
    const changed = [...this.#branches].map(([path, entries]) => [path, change(entries)] as const)
    return new Tree(new Map(changed.filter(([, entries]) => entries.length > 0)))
  }
}

/** Parses a path such as `{0;1}` into numbers. */
export const parsePath = (path: string): number[] => path.slice(1, -1).split(';').filter(Boolean).map(Number)

const NOT_FINITE = new Set(['NaN', 'Infinity', '-Infinity'])
/** The types whose strings are text, not numbers that JSON lacks. */
const TEXTUAL = new Set<DataValue['type']>(['string', 'colour', 'path', 'unknown'])

/** Converts a value of the API to JavaScript's terms. */
export const toPlain = (item: DataValue | null): PlainValue =>
  item === null ? null : ((TEXTUAL.has(item.type) ? item.value : readNumbers(item.value)) as PlainValue)

function readNumbers(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'string') return NOT_FINITE.has(value) ? Number(value) : value
  if (Array.isArray(value)) return value.map(readNumbers)
  const members = Object.entries(value as object)
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'description' ? member : readNumbers(member)]),
  )
}

/** The tree of a port, and what the port is called where that is known. */
export interface PortTree {
  nodeId: string
  portId: string
  /** The node's nickname, which the canvas shows, or the name of its component where it has none. */
  node?: string
  /** The name of the node's component, such as `Number Slider`. */
  component?: string
  /** The port's nickname, which the canvas shows, or its name where it has none. */
  port?: string
  /** The name of the port, such as `Points`. */
  portName?: string
  tree: Tree
}

/**
 * Returns the trees of all ports of a solution, named with the help of its document; or the typed-in values of a
 * document.
 */
export function treesOf(solution: Pick<Solution, 'data'>, document?: Pick<Document, 'nodes'>): PortTree[]
export function treesOf(document: Pick<Document, 'nodes'>): PortTree[]
export function treesOf(
  source: Pick<Solution, 'data'> | Pick<Document, 'nodes'>,
  document?: Pick<Document, 'nodes'>,
): PortTree[] {
  const nodes = 'nodes' in source ? source.nodes : (document?.nodes ?? {})
  const found: PortTree[] = []
  for (const [nodeId, trees] of 'nodes' in source ? valuesOf(source.nodes) : portsOf(source.data)) {
    const node = findOwn(nodes, nodeId)
    for (const [portId, tree] of Object.entries(trees)) {
      const port = findOwn(node?.ports ?? {}, portId)
      found.push({
        nodeId,
        portId,
        ...(node && { node: node.nickName || node.name, component: node.name }),
        ...(port && { port: port.nickName || port.name, portName: port.name }),
        tree: Tree.of(tree),
      })
    }
  }
  return found
}

/** Returns the tree of one port. Throws when the solution has no such node or port. */
export function treeOf({ data }: Pick<Solution, 'data'>, nodeId: string, portId: string): Tree {
  const ports = new Map(portsOf(data)).get(nodeId)
  if (!ports) throw new MeadowError(`The solution has no node ${nodeId}.`)
  const tree = findOwn(ports, portId)
  if (!tree) throw new MeadowError(`The node ${nodeId} has no port ${portId} in the solution.`)
  return Tree.of(tree)
}

const valuesOf = (nodes: Document['nodes']) =>
  Object.entries(nodes).map(([id, { values }]) => [id, values] as const)

const portsOf = ({ solutionId, ...ports }: Solution['data']): [string, Record<string, DataTree>][] =>
  Object.entries(ports)

/** Returns a member of an object from JSON, but not one that every object has, such as `constructor`. */
const findOwn = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
