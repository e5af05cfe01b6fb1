import type { GraphContent, Node, PortReference } from '@meadow/contract'
import type { PaletteKind } from '@meadow/contract/web'
import {
  addGroup,
  addPort,
  connect,
  disconnect,
  removeGroups,
  removeNodes,
  type Wire,
} from '@meadow/document/live'
import type { Doc } from 'yjs'
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

/** Whether inputs can be added to nodes of a kind: those whose last input is repeated. */
export const mayRepeat = (kind: PaletteKind | undefined): boolean => kind?.inputs.at(-1)?.isRepeated === true

/** The repeated inputs of a node, which can be removed while there is more than one. */
export function listRemovableInputs(node: Node, kind: PaletteKind | undefined): string[] {
  if (!kind || !mayRepeat(kind)) return []
  const fixed = kind.inputs.filter(({ isRepeated }) => !isRepeated).length
  const inputs = listPorts(node.inputs).slice(fixed)
  return inputs.length > 1 ? inputs : []
}

/** Adds an input to a node, like its last one. */
export function repeatInput(doc: Doc, node: Node, origin: unknown): void {
  const last = node.ports[listPorts(node.inputs).at(-1) ?? '']
  if (!last) return
  const { name, nickName, typeName, access } = last
  const port = { name: nextName(name), nickName: nextName(nickName), typeName, access, flags: [] }
  addPort(doc, node.instanceId, { side: 'input', port: { ...port, options: ['optional'] } }, origin)
}

/** `D1` → `D2`, `A` → `B`; other names get a number. */
export function nextName(name: string): string {
  const { stem = '', number } = /^(?<stem>.*?)(?<number>\d+)$/.exec(name)?.groups ?? {}
  if (number !== undefined) return `${stem}${Number(number) + 1}`
  return /^[A-Ya-y]$/.test(name) ? String.fromCodePoint(name.codePointAt(0)! + 1) : `${name} 2`
}
