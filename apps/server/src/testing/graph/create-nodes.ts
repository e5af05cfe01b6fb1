import { createHash } from 'node:crypto'
import type { DataTree, DataValue, Node, Port } from '@meadow/contract'
import { createDataTree, type LibraryPort, type NodeState, type ValueType } from '@meadow/document'
import { type Feed, type Input, type Literal, toFeed } from './feed.ts'

/** The properties of every node. `kind` is its class in the catalogue. */
interface Basics {
  id: string
  kind: { guid: string; name: string }
  nickName: string
  state?: NodeState
}

/** A port of a new node, with its input. */
export interface PortPlan {
  port: Omit<LibraryPort, 'defaults'> & Partial<Pick<LibraryPort, 'defaults'>>
  input?: Input
}

/** A node that is a single parameter: its port has the id of the node and may be an input, an output or both. */
export function createParameterNode(
  basics: Basics,
  { typeName, hasInput, hasOutput }: { typeName: string; hasInput: boolean; hasOutput: boolean },
  feed: Feed,
): Node {
  const { id, kind, nickName } = basics
  const port = createPort({ name: kind.name, nickName, typeName, access: 'item', isOptional: false }, feed)
  return {
    ...createBareNode(basics),
    inputs: hasInput ? { [id]: 0 } : {},
    outputs: hasOutput ? { [id]: 0 } : {},
    sources: feed.wires.length > 0 ? { [id]: [...feed.wires] } : {},
    values: feed.literals.length > 0 ? { [id]: toPersistentData(feed.literals, typeName) } : {},
    ports: { [id]: port },
  }
}

/** A component. Literals replace the catalogue's defaults; a wire does not, as in Grasshopper's files. */
export function createComponentNode(
  basics: Basics,
  inputs: readonly PortPlan[],
  outputs: readonly PortPlan['port'][],
): Node {
  const node = createBareNode(basics)
  for (const [order, { port, input }] of inputs.entries()) {
    const feed = input === undefined ? undefined : toFeed(input)
    const id = stableId(basics.id, 'input', String(order))
    node.inputs[id] = order
    node.ports[id] = createPort(port, feed)
    if (feed && feed.wires.length > 0) node.sources[id] = [...feed.wires]
    const literals = feed && feed.literals.length > 0 ? feed.literals : (port.defaults ?? [])
    if (literals.length > 0) node.values[id] = toPersistentData(literals, port.typeName)
  }
  for (const [order, port] of outputs.entries()) {
    const id = stableId(basics.id, 'output', String(order))
    node.outputs[id] = order
    node.ports[id] = createPort({ ...port, isOptional: false })
  }
  // Hidden, because only what goes through a Custom Preview is shown.
  return { ...node, status: { isEnabled: true, isPreviewed: outputs.length === 0 } }
}

/** A node without ports. */
export function createBareNode({ id, kind, nickName, state }: Basics): Node {
  return {
    instanceId: id,
    templateId: kind.guid,
    name: kind.name,
    nickName,
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: true },
    inputs: {},
    outputs: {},
    sources: {},
    values: {},
    ports: {},
    ...(state ? { state: { ...state } } : {}),
  }
}

/** A random UUID. */
const NAMESPACE = Buffer.from('6f0c7a1e94b84c0fa3f35d2be1a7c958', 'hex')

/** A UUID (version 5, RFC 9562) derived from the words. */
export function stableId(...words: string[]): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(words.join('\n')).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A port as the catalogue declares it, with the flags and the expression of its feed. */
function createPort(
  { name, nickName, typeName, access, isOptional }: Omit<LibraryPort, 'defaults'>,
  feed?: Feed,
): Port {
  return {
    name,
    nickName,
    typeName,
    access,
    flags: [...(feed?.flags ?? [])],
    ...(feed?.expression === undefined ? {} : { expression: feed.expression }),
    ...(isOptional ? { options: ['optional'] } : {}),
  }
}

/** The types of values that ports accept. Ports of other types (Data, Geometry …) accept any value. */
const VALUE_TYPES: Readonly<Record<string, readonly ValueType[]>> = {
  Boolean: ['boolean'],
  Colour: ['colour'],
  Domain: ['domain'],
  Integer: ['integer'],
  Number: ['number', 'integer'],
  Plane: ['plane'],
  Point: ['point'],
  Text: ['string'],
  Vector: ['vector'],
}

/** Literals as the persistent data of a port, in one branch. Throws when the port's type does not accept them. */
function toPersistentData(literals: readonly Literal[], typeName: string): DataTree {
  return createDataTree([{ path: [0], values: literals.map((literal) => toDataValue(literal, typeName)) }])
}

function toDataValue(literal: Literal, typeName: string): DataValue {
  const value = withType(literal, typeName)
  if (VALUE_TYPES[typeName]?.includes(value.type) ?? true) return value
  throw new Error(`A port of type ${typeName} cannot hold ${JSON.stringify(literal)}.`)
}

function withType(literal: Literal, typeName: string): DataValue {
  switch (typeof literal) {
    case 'boolean':
      return { type: 'boolean', value: literal }
    case 'string':
      return { type: 'string', value: literal }
    case 'number':
      return {
        type: typeName !== 'Number' && Number.isInteger(literal) ? 'integer' : 'number',
        value: literal,
      }
    default:
      return literal
  }
}
