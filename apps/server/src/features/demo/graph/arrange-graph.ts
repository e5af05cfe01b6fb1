import type { Node } from '@meadow/contract'
import { findComponent, findParameterType, findScript, type Size } from '@meadow/document'
import { arrange, type Box, type Corner } from './arrange.ts'

/** A group with its nodes in the order in which they were drawn. */
export interface Section {
  readonly id: string
  /** Panels with explanations, which are placed above the other nodes. */
  readonly notes: readonly Node[]
  readonly nodes: readonly Node[]
}

const BETWEEN_NODES = { across: 70, down: 28 }
const BETWEEN_SECTIONS = { across: 160, down: 130 }
const BELOW_NOTES = 40

/** Sets the position of every node: sections from left to right as data flows, and likewise the nodes in a section. */
export function arrangeGraph(sections: readonly Section[]): void {
  const layouts = new Map(sections.map((section) => [section.id, arrangeSection(section)]))
  const boxes = sections.map((section) => ({
    id: section.id,
    width: layouts.get(section.id)?.width ?? 0,
    height: layouts.get(section.id)?.height ?? 0,
    sources: listFeeding(section, sections),
  }))
  const { corners } = arrange(boxes, BETWEEN_SECTIONS)
  for (const section of sections) {
    const origin = corners.get(section.id) ?? { x: 0, y: 0 }
    for (const node of [...section.notes, ...section.nodes]) {
      const corner = layouts.get(section.id)?.corners.get(node.instanceId) ?? { x: 0, y: 0 }
      node.position = positionAt({ x: origin.x + corner.x, y: origin.y + corner.y }, node)
    }
  }
}

function arrangeSection({ notes, nodes }: Section) {
  const corners = new Map<string, Corner>()
  let width = 0
  let top = 0
  for (const note of notes) {
    corners.set(note.instanceId, { x: 0, y: top })
    width = Math.max(width, sizeOf(note).width)
    top += sizeOf(note).height + BELOW_NOTES
  }
  const ids = new Set(nodes.map(({ instanceId }) => instanceId))
  const arranged = arrange(
    nodes.map((node) => toBox(node, ids)),
    BETWEEN_NODES,
  )
  for (const [id, { x, y }] of arranged.corners) corners.set(id, { x, y: y + top })
  return { corners, width: Math.max(width, arranged.width), height: top + arranged.height }
}

function toBox(node: Node, among: ReadonlySet<string>): Box {
  return { id: node.instanceId, ...sizeOf(node), sources: listSenders(node).filter((id) => among.has(id)) }
}

function listSenders(node: Node): string[] {
  return Object.values(node.sources).flatMap((wires) => wires.map((wire) => wire.nodeInstanceId))
}

function listFeeding(section: Section, sections: readonly Section[]): string[] {
  const senders = new Set(section.nodes.flatMap(listSenders))
  return sections
    .filter((other) => other !== section && other.nodes.some(({ instanceId }) => senders.has(instanceId)))
    .map(({ id }) => id)
}

const CHARACTER_WIDTH = 7

/** The approximate size of a node on the canvas. Sliders and panels have a size of their own. */
function sizeOf(node: Node): Size {
  const own = node.state?.size as Size | undefined
  if (own) return own
  return isParameter(node)
    ? { width: Math.max(60, labelWidth(node.nickName)), height: 24 }
    : componentSize(node)
}

/** The top left corner and size of a node. The position of components and parameters is their middle. */
export function boundsOf(node: Node): Corner & Size {
  const size = sizeOf(node)
  const { x, y } = node.position
  return isPlacedByMiddle(node)
    ? { x: x - size.width / 2, y: y - size.height / 2, ...size }
    : { x, y, ...size }
}

/** The position at which the node's top left corner is there. */
function positionAt({ x, y }: Corner, node: Node): Node['position'] {
  const { width, height } = sizeOf(node)
  return isPlacedByMiddle(node) ? { x: x + width / 2, y: y + height / 2 } : { x, y }
}

const isParameter = (node: Node) => node.instanceId in node.outputs

const isPlacedByMiddle = ({ templateId }: Node) =>
  [findComponent, findScript, findParameterType].some((find) => find(templateId) !== undefined)

const labelWidth = (label: string) => 24 + CHARACTER_WIDTH * label.length

function componentSize(node: Node): Size {
  const rows = Math.max(Object.keys(node.inputs).length, Object.keys(node.outputs).length)
  const longest = (side: Record<string, number>) =>
    Math.max(0, ...Object.keys(side).map((id) => node.ports[id]?.nickName.length ?? 0))
  const portsWidth = 34 + CHARACTER_WIDTH * (longest(node.inputs) + longest(node.outputs))
  return {
    width: Math.max(64, portsWidth, labelWidth(node.nickName)),
    height: rows < 2 ? 28 : 20 * rows + 4,
  }
}
