import type { Node } from '@meadow/contract'
import type { LibraryPort, NodeState } from '@meadow/document'
import { createPort } from './create-port.ts'
import { type Feed, type Input, toFeed } from './feed.ts'
import { stableId } from './stable-id.ts'
import { typedIn } from './typed-in.ts'

/** What every node is told. `kind` is its class in the catalogue. */
interface Basics {
  id: string
  kind: { guid: string; name: string }
  nickName: string
  state?: NodeState
}

/** A port of a node to be made, with what reaches it. */
export interface PortPlan {
  port: Omit<LibraryPort, 'defaults'> & Partial<Pick<LibraryPort, 'defaults'>>
  input?: Input
}

/** A node that is one parameter: its port has its own id and may stand on both sides. */
export function createParameterNode(
  basics: Basics,
  { typeName, hasInput, hasOutput }: { typeName: string; hasInput: boolean; hasOutput: boolean },
  feed: Feed,
): Node {
  const { id, kind, nickName } = basics
  const port = createPort({ name: kind.name, nickName, typeName, access: 'item', isOptional: false }, feed)
  return {
    ...createNode(basics),
    inputs: hasInput ? { [id]: 0 } : {},
    outputs: hasOutput ? { [id]: 0 } : {},
    sources: feed.wires.length > 0 ? { [id]: [...feed.wires] } : {},
    values: feed.literals.length > 0 ? { [id]: typedIn(feed.literals, typeName) } : {},
    ports: { [id]: port },
  }
}

/** A component. Typed-in values stand in for the catalogue's defaults, which stay where a wire arrives. */
export function createComponentNode(
  basics: Basics,
  inputs: readonly PortPlan[],
  outputs: readonly PortPlan['port'][],
): Node {
  const node = createNode(basics)
  for (const [order, { port, input }] of inputs.entries()) {
    const feed = input === undefined ? undefined : toFeed(input)
    const id = stableId(basics.id, 'input', String(order))
    node.inputs[id] = order
    node.ports[id] = createPort(port, feed)
    if (feed && feed.wires.length > 0) node.sources[id] = [...feed.wires]
    const literals = feed && feed.literals.length > 0 ? feed.literals : (port.defaults ?? [])
    if (literals.length > 0) node.values[id] = typedIn(literals, port.typeName)
  }
  for (const [order, port] of outputs.entries()) {
    const id = stableId(basics.id, 'output', String(order))
    node.outputs[id] = order
    node.ports[id] = createPort({ ...port, isOptional: false })
  }
  // Construction stays out of sight: what is to be seen goes through a preview with a colour.
  return { ...node, status: { isEnabled: true, isPreviewed: outputs.length === 0 } }
}

function createNode({ id, kind, nickName, state }: Basics): Node {
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
