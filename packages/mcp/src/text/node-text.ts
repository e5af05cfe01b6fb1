import type { Group, Node, PortReference } from '@meadow/client'
import type { ShortIds } from './short-ids.ts'
import { clip, oneLine, quote } from './show-value.ts'

/** The graph of a document, or of the inside of a cluster. */
export interface Graph {
  nodes: Record<string, Node>
  groups: Group[]
}

/** The maximum number of characters of a text that is in a line with others, such as that of a panel or a nickname. */
export const MAX_TEXT = 40

/** Compares nodes so that they are sorted from left to right, as on the canvas. */
export const compareNodes = (a: Node, b: Node): number =>
  a.position.x - b.position.x || a.position.y - b.position.y || (a.instanceId < b.instanceId ? -1 : 1)

/** Returns what a node is: the name of its component. */
const nameOf = ({ name, state }: Node): string =>
  state?.kind === 'slider' ? 'Slider' : clip(oneLine(name), MAX_TEXT)

/**
 * Returns the name that the author gave a node. Undefined where that is the short form of the name that it was placed
 * with.
 */
function nickNameOf({ name, nickName, state }: Node): string | undefined {
  const isGiven = nickName.trim() !== '' && !isShortForm(nickName, name) && state?.kind !== 'scribble'
  return isGiven ? quote(nickName, MAX_TEXT) : undefined
}

/** Whether the letters of a nickname are in the name in this order, as in `Crv` of `Curve`. */
function isShortForm(nickName: string, name: string): boolean {
  const letters = [...nickName.toLowerCase()]
  let found = 0
  for (const letter of name.toLowerCase()) if (letter === letters[found]) found++
  return found === letters.length
}

/** Returns the title of a node: its short id, what it is, and the name that its author gave it. */
export const titleOf = (node: Node, ids: ShortIds): string =>
  [ids.shorten(node.instanceId), nameOf(node), nickNameOf(node)]
    .filter((part) => part !== undefined)
    .join(' ')

/** Returns the ports on one side of a node, in order. */
export const listPorts = (side: Record<string, number>): string[] =>
  Object.keys(side).sort((a, b) => side[a]! - side[b]!)

/** Names the node that a wire comes from, and the output where it has several. */
export function showSource(
  { nodeInstanceId, portInstanceId }: PortReference,
  graph: Graph,
  ids: ShortIds,
): string {
  const node = graph.nodes[nodeInstanceId]
  const short = ids.shorten(nodeInstanceId)
  if (!node || Object.keys(node.outputs).length < 2) return short
  return `${short}.${portLabel(node, portInstanceId)}`
}

const PLAIN_LABEL = /^[^\s<>=.,:"]+$/

/** Returns the label of a port on the canvas, in quotes where a plain word would be misread. */
export function portLabel(node: Node, id: string): string {
  const port = node.ports[id]
  const label = port?.nickName || port?.name || String(node.inputs[id] ?? node.outputs[id] ?? '')
  return PLAIN_LABEL.test(label) ? clip(label, MAX_TEXT) : quote(label, MAX_TEXT)
}
