import type { GraphContent, Node, PortReference } from '@meadow/contract'
import {
  addGroup,
  addPort,
  connect,
  disconnect,
  nextName,
  removeGroups,
  removeNodes,
  removePort,
  type Wire,
} from '@meadow/document/live'
import type { Doc } from 'yjs'
import type { PaletteKind } from '../../../api/palette-query.ts'
import type { WireMode } from '../canvas/graph-canvas.tsx'
import { listPorts } from '../layout/node-box.ts'
import { listWires } from '../layout/wires.ts'

/*
 * Edits of the canvas that combine edits of the document package. Each is one transaction with the origin of this
 * window, and so one step to undo.
 */

/** Connects or disconnects two ports, and with `replace` disconnects the other wires of the input. */
export function layWire(
  doc: Doc,
  { nodes }: GraphContent,
  wire: Wire,
  mode: WireMode,
  origin: unknown,
): void {
  if (mode === 'remove') {
    disconnect(doc, wire, origin)
    return
  }
  const { nodeInstanceId, portInstanceId } = wire.to
  const replaced = mode === 'replace' ? (nodes[nodeInstanceId]?.sources[portInstanceId] ?? []) : []
  doc.transact(() => {
    for (const from of replaced) if (!isSame(from, wire.from)) disconnect(doc, { from, to: wire.to }, origin)
    connect(doc, wire, origin)
  }, origin)
}

const isSame = (a: PortReference, b: PortReference) =>
  a.nodeInstanceId === b.nodeInstanceId && a.portInstanceId === b.portInstanceId

export function deleteSelection(
  doc: Doc,
  { nodes }: GraphContent,
  { nodeIds, wireIds }: { nodeIds: ReadonlySet<string>; wireIds: ReadonlySet<string> },
  origin: unknown,
): void {
  const wires = listWires(nodes).filter(({ id }) => wireIds.has(id))
  const existingIds = [...nodeIds].filter((id) => nodes[id])
  doc.transact(() => {
    for (const wire of wires) disconnect(doc, wire, origin)
    if (existingIds.length > 0) removeNodes(doc, existingIds, origin)
  }, origin)
}

export function groupNodes(doc: Doc, nodeInstanceIds: readonly string[], origin: unknown): void {
  if (nodeInstanceIds.length === 0) return
  addGroup(doc, { nodeInstanceIds }, origin)
}

/** Removes the groups with any of these nodes, but not the nodes. */
export function ungroupNodes(
  doc: Doc,
  { groups }: GraphContent,
  nodeIds: ReadonlySet<string>,
  origin: unknown,
): void {
  const found = groups.filter(({ nodeInstanceIds }) => nodeInstanceIds.some((id) => nodeIds.has(id)))
  removeGroups(
    doc,
    found.map(({ id }) => id),
    origin,
  )
}

type Side = 'input' | 'output'

/** Lists the sides on which ports can be added to nodes of a kind. If these are both, each input has its own output. */
export function listRepeatedSides(kind: PaletteKind | undefined): Side[] {
  return (['input', 'output'] as const).filter((side) => kind?.[`${side}s`].at(-1)?.isRepeated)
}

/** The repeated ports of a node, which can be removed while there is more than one. */
export function listRemovablePorts(node: Node, kind: PaletteKind | undefined): string[] {
  return listRepeatedSides(kind).flatMap((side) => {
    const fixed = kind?.[`${side}s`].filter(({ isRepeated }) => !isRepeated).length
    const ports = listPorts(node[`${side}s`]).slice(fixed)
    return ports.length > 1 ? ports : []
  })
}

/** Adds a port to each side that has repeated ones, like the last one there. */
export function repeatPort(doc: Doc, node: Node, kind: PaletteKind | undefined, origin: unknown): void {
  doc.transact(() => {
    for (const side of listRepeatedSides(kind)) {
      const last = node.ports[listPorts(node[`${side}s`]).at(-1) ?? '']
      if (!last) continue
      const { name, nickName, typeName, access, options } = last
      const port = { name: nextName(name), nickName: nextName(nickName), typeName, access, flags: [] }
      const isOptional = options?.includes('optional')
      const added = { ...port, ...(isOptional ? { options: ['optional' as const] } : {}) }
      addPort(doc, node.instanceId, { side, port: added }, origin)
    }
  }, origin)
}

/** Removes a repeated port and, where each input has its output, the one beside it. */
export function removeRepeatedPort(
  doc: Doc,
  node: Node,
  kind: PaletteKind | undefined,
  portId: string,
  origin: unknown,
): void {
  const sides = listRepeatedSides(kind).map((side) => listPorts(node[`${side}s`]))
  const fixed = (['inputs', 'outputs'] as const).map(
    (side) => kind?.[side].filter(({ isRepeated }) => !isRepeated).length ?? 0,
  )
  const index = sides.map((ports, i) => ports.indexOf(portId) - fixed[i]!).find((at) => at >= 0) ?? 0
  const removed = sides.length === 2 ? sides.flatMap((ports, i) => ports[fixed[i]! + index] ?? []) : [portId]
  doc.transact(() => {
    for (const id of removed) removePort(doc, { nodeInstanceId: node.instanceId, portInstanceId: id }, origin)
  }, origin)
}
