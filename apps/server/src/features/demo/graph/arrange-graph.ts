import type { Node } from '@meadow/contract'
import { arrange, type Box, type Corner } from './arrange.ts'
import { positionAt, sizeOf } from './node-size.ts'

/** A group with its nodes in the order in which they were drawn. */
export interface Section {
  readonly id: string
  /** Panels that only tell; they stand above the rest. */
  readonly notes: readonly Node[]
  readonly nodes: readonly Node[]
}

const BETWEEN_NODES = { across: 70, down: 28 }
const BETWEEN_SECTIONS = { across: 160, down: 130 }
const BELOW_NOTES = 40

/** Places every node: sections from left to right as data flows, and the same inside each section. */
export function arrangeGraph(sections: readonly Section[]): void {
  const places = new Map(sections.map((section) => [section.id, arrangeSection(section)]))
  const boxes = sections.map((section) => ({
    id: section.id,
    width: places.get(section.id)?.width ?? 0,
    height: places.get(section.id)?.height ?? 0,
    sources: listFeeding(section, sections),
  }))
  const { corners } = arrange(boxes, BETWEEN_SECTIONS)
  for (const section of sections) {
    const origin = corners.get(section.id) ?? { x: 0, y: 0 }
    for (const node of [...section.notes, ...section.nodes]) {
      const corner = places.get(section.id)?.corners.get(node.instanceId) ?? { x: 0, y: 0 }
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
