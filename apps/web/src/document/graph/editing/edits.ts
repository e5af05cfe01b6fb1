import type { GraphContent, Node } from '@meadow/contract'
import type { PaletteKind } from '@meadow/contract/web'
import { addGroup, addPort, removeGroups } from '@meadow/document/live'
import type { Doc } from 'yjs'
import { listPorts } from '../layout/node-box.ts'

/** Whether people can add inputs to such a node: the last one that its kind has can be repeated. */
export const mayRepeat = (kind: PaletteKind | undefined): boolean => kind?.inputs.at(-1)?.isRepeated === true

/** The inputs that can be taken away again: those beyond what the kind needs. */
export function listSpareInputs(node: Node, kind: PaletteKind | undefined): string[] {
  if (!kind || !mayRepeat(kind)) return []
  const fixed = kind.inputs.filter(({ isRepeated }) => !isRepeated).length
  const inputs = listPorts(node.inputs).slice(fixed)
  return inputs.length > 1 ? inputs : []
}

/** Gives a node one more input like its last one. */
export function repeatInput(doc: Doc, node: Node, origin: unknown): void {
  const last = node.ports[listPorts(node.inputs).at(-1) ?? '']
  if (!last) return
  const { name, nickName, typeName, access } = last
  const port = { name: nextName(name), nickName: nextName(nickName), typeName, access, flags: [] }
  addPort(doc, node.instanceId, { side: 'input', port: { ...port, options: ['optional'] } }, origin)
}

/** `D1`, `D2`; `A`, `B`; anything else gets a number. */
export function nextName(name: string): string {
  const { stem = '', number } = /^(?<stem>.*?)(?<number>\d+)$/.exec(name)?.groups ?? {}
  if (number !== undefined) return `${stem}${Number(number) + 1}`
  return /^[A-Ya-y]$/.test(name) ? String.fromCodePoint(name.codePointAt(0)! + 1) : `${name} 2`
}

export function groupSelected(doc: Doc, nodeInstanceIds: readonly string[], origin: unknown): void {
  if (nodeInstanceIds.length === 0) return
  addGroup(doc, { nodeInstanceIds }, origin)
}

/** Takes away the groups that hold anything selected; the nodes stay. */
export function ungroupSelected(
  doc: Doc,
  { groups }: GraphContent,
  selectedIds: ReadonlySet<string>,
  origin: unknown,
): void {
  const found = groups.filter(({ nodeInstanceIds }) => nodeInstanceIds.some((id) => selectedIds.has(id)))
  removeGroups(
    doc,
    found.map(({ id }) => id),
    origin,
  )
}
