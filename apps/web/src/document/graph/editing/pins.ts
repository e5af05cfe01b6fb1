import type { GraphContent, Node, PortReference } from '@meadow/contract'
import { pinPort, unpinPort } from '@meadow/document/live'
import type { Doc } from 'yjs'
import { listPorts } from '../layout/node-box.ts'
import { listUsualPorts, toOwnPort } from './player-ports.ts'

export type PinSide = keyof GraphContent['configuration']

/**
 * What a node has in the player when it is pinned as a whole: a parameter object that nothing feeds is an input, one that
 * something feeds is an output, and so is the first output of a component. Undefined for nodes without any.
 */
export function findPin(node: Node): { side: PinSide; port: PortReference } | undefined {
  const { instanceId, ports, sources, outputs } = node
  if (Object.hasOwn(ports, instanceId)) {
    const isFed = (sources[instanceId] ?? []).length > 0
    return { side: isFed ? 'outputs' : 'inputs', port: toOwnPort(instanceId) }
  }
  const [first] = listPorts(outputs)
  return first === undefined
    ? undefined
    : { side: 'outputs', port: { nodeInstanceId: instanceId, portInstanceId: first } }
}

/** The nodes with a pinned port. */
export const listPinnedIds = ({ configuration: { inputs, outputs } }: GraphContent): ReadonlySet<string> =>
  new Set([...inputs, ...outputs].map(({ nodeInstanceId }) => nodeInstanceId))

/** Unpins all ports of these nodes if all of them are pinned; otherwise pins those that are not. */
export function togglePins(doc: Doc, content: GraphContent, ids: readonly string[], origin: unknown): void {
  const pinned = listPinnedIds(content)
  const pinnable = ids.filter((id) => pinned.has(id) || (content.nodes[id] && findPin(content.nodes[id])))
  const isOn = pinnable.every((id) => pinned.has(id))
  doc.transact(() => {
    for (const id of pinnable) {
      if (isOn) unpinNode(doc, content, id, origin)
      else if (!pinned.has(id)) {
        const pin = findPin(content.nodes[id]!)!
        pinPort(doc, pin.side, pin.port, origin)
      }
    }
  }, origin)
}

function unpinNode(doc: Doc, { configuration }: GraphContent, id: string, origin: unknown): void {
  for (const side of ['inputs', 'outputs'] as const)
    for (const port of configuration[side]) if (port.nodeInstanceId === id) unpinPort(doc, side, port, origin)
}

/** Pins what the player shows while nothing is pinned. */
export function pinUsual(doc: Doc, content: GraphContent, origin: unknown): void {
  const { inputs, outputs } = listUsualPorts(content)
  doc.transact(() => {
    for (const port of inputs) pinPort(doc, 'inputs', port, origin)
    for (const port of outputs) pinPort(doc, 'outputs', port, origin)
  }, origin)
}
