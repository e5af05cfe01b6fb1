import {
  APPEARANCE,
  createDataTree,
  type DataTree,
  type DataValue,
  listPanelLines,
  type Node,
  type NodeState,
  type Port,
  readConstant,
  sameJson,
  sameMember,
  sameTree,
} from '@meadow/document'
import type { IndexedNode } from '../matching/graph-index.ts'
import { alignLists } from './align.ts'
import type { Change, LayoutChange, NodeName, PortName, PortProperties, ScriptPart, Wire } from './change.ts'
import { type Comparison, findPortAfter, findPortBefore, keyOfPort, nameEnd, namePort } from './comparison.ts'
import { listHunks } from './script-lines.ts'

/** Collects the changes of a node, each list in the order of kinds. */
export interface Report {
  change(change: Change): void
  layout(change: LayoutChange): void
}

/** The members of a state that are the look of a node. What snaps and what is drawn by hand is more than look. */
const LOOK: ReadonlySet<string> = new Set(
  [...APPEARANCE].filter((name) => name !== 'snaps' && name !== 'lines'),
)

/** Reports what differs between two nodes that are the same one: names, status, ports, values, state, incoming wires. */
export function diffNode(
  comparison: Comparison,
  beforeId: string,
  afterId: string,
  node: NodeName,
  report: Report,
): void {
  const [older, newer] = [comparison.before.nodes.get(beforeId)!, comparison.after.nodes.get(afterId)!]
  const [before, after] = [older.node, newer.node]
  diffPosition(before, after, node, report)
  if (before.templateId !== after.templateId) {
    report.change({ kind: 'node_replaced', node, before, after })
    diffWires(comparison, older, newer, report)
    return
  }
  diffLook(before, after, node, report)
  const isRenamed = before.name !== after.name || before.nickName !== after.nickName
  if (isRenamed) report.change({ kind: 'node_renamed', node, before: namesOf(before), after: namesOf(after) })
  const [was, is] = [before.status, after.status]
  if (was.isEnabled !== is.isEnabled)
    report.change({ kind: 'node_enabled', node, before: was.isEnabled, after: is.isEnabled })
  if (was.isPreviewed !== is.isPreviewed)
    report.change({ kind: 'node_previewed', node, before: was.isPreviewed, after: is.isPreviewed })
  diffPorts(comparison, older, newer, node, isRenamed, report)
  diffWires(comparison, older, newer, report)
  diffState(comparison, before, after, node, report)
}

const namesOf = ({ name, nickName }: Node | Port) => ({ name, nickName })

function diffPosition(
  { position: before }: Node,
  { position: after }: Node,
  node: NodeName,
  report: Report,
): void {
  if (Math.fround(before.x) !== Math.fround(after.x) || Math.fround(before.y) !== Math.fround(after.y)) {
    report.layout({ kind: 'node_moved', node, before, after })
  }
}

function diffLook(before: Node, after: Node, node: NodeName, report: Report): void {
  if (before.instanceId !== after.instanceId) {
    report.layout({ kind: 'node_recreated', node, before: before.instanceId, after: after.instanceId })
  }
  const members =
    before.state === after.state ? [] : listMembers(before, after).filter((name) => LOOK.has(name))
  const differing = members.filter((name) => !sameMember(name, before.state?.[name], after.state?.[name]))
  if (differing.length > 0 || before.display !== after.display) {
    const names = before.display === after.display ? differing : ['display', ...differing]
    const take = ({ display, state }: Node) => pick({ ...state, display }, names)
    report.layout({ kind: 'node_look', node, before: take(before), after: take(after) })
  }
}

const listMembers = (before: Node, after: Node): string[] => [
  ...new Set([...Object.keys(before.state ?? {}), ...Object.keys(after.state ?? {})]),
]

/** Returns members by name; null where they are absent. */
const pick = (from: object | undefined, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.map((name) => [name, (from as Record<string, unknown> | undefined)?.[name] ?? null]),
  )

function diffPorts(
  comparison: Comparison,
  older: IndexedNode,
  newer: IndexedNode,
  node: NodeName,
  isRenamed: boolean,
  report: Report,
): void {
  const [before, after] = [older.node, newer.node]
  const afterId = after.instanceId
  for (const side of ['inputs', 'outputs'] as const) {
    const name = side === 'inputs' ? 'input' : 'output'
    for (const [index, id] of older[side].entries()) {
      if (findPortAfter(comparison, afterId, id) !== undefined) continue
      const port = namePort(comparison, 'before', { nodeInstanceId: before.instanceId, portInstanceId: id })
      const wires = listWires(comparison, 'before', older, id)
      report.change({ kind: 'port_removed', node, port, before: before.ports[id]!, index, wires })
    }
    for (const [index, id] of newer[side].entries()) {
      if (findPortBefore(comparison, afterId, id) !== undefined) continue
      const port = namePort(comparison, 'after', { nodeInstanceId: afterId, portInstanceId: id })
      const wires = listWires(comparison, 'after', newer, id)
      report.change({ kind: 'port_added', node, port, after: after.ports[id]!, index, wires })
    }
    if (older[side].every((id, i) => findPortAfter(comparison, afterId, id) === newer[side][i])) continue
    const { reordered } = alignLists(
      older[side],
      newer[side],
      (id) => findPortAfter(comparison, afterId, id),
      (id) => (findPortBefore(comparison, afterId, id) === undefined ? undefined : id),
    )
    if (reordered) {
      const nameBefore = (id: string) =>
        namePort(comparison, 'before', { nodeInstanceId: before.instanceId, portInstanceId: id })
      const nameAfter = (id: string) =>
        namePort(comparison, 'after', { nodeInstanceId: afterId, portInstanceId: id })
      const orders = { before: reordered.before.map(nameBefore), after: reordered.after.map(nameAfter) }
      report.change({ kind: 'ports_reordered', node, side: name, ...orders })
    }
  }
  const ids = new Set([...newer.inputs, ...newer.outputs])
  for (const id of ids) {
    const beforeId = findPortBefore(comparison, afterId, id)
    if (beforeId === undefined) continue
    const port = () => namePort(comparison, 'after', { nodeInstanceId: afterId, portInstanceId: id })
    const isOwn = id === afterId
    diffPort(
      before.ports[beforeId],
      after.ports[id],
      node,
      port,
      { isOwn, isNamed: !(isOwn && isRenamed) },
      report,
    )
    const [was, is] = [before.values[beforeId], after.values[id]]
    if (was === is || sameTree(was, is)) continue
    if (isOwn && follows(before, was) && follows(after, is) && !sameJson(before.state, after.state)) continue
    report.change({ kind: 'values_changed', node, port: port(), before: was ?? null, after: is ?? null })
  }
}

/** The wires of one port, in a graph. */
export function listWires(
  comparison: Comparison,
  version: 'before' | 'after',
  indexed: IndexedNode,
  onlyPort?: string,
  isLeftOut: (otherId: string, side: 'input' | 'output') => boolean = () => false,
): Wire[] {
  const { node } = indexed
  return indexed
    .listConnections()
    .filter(
      ({ portId, side, other }) => (onlyPort ?? portId) === portId && !isLeftOut(other.nodeInstanceId, side),
    )
    .map(({ side, portId, other }) => {
      const near = nameEnd(comparison, version, { nodeInstanceId: node.instanceId, portInstanceId: portId })
      const far = nameEnd(comparison, version, other)
      return side === 'input' ? { from: far, to: near } : { from: near, to: far }
    })
}

function diffPort(
  before: Port | undefined,
  after: Port | undefined,
  node: NodeName,
  port: () => PortName,
  { isOwn, isNamed }: { isOwn: boolean; isNamed: boolean },
  report: Report,
): void {
  if (before === after || !before || !after) return
  if (isNamed && (before.name !== after.name || before.nickName !== after.nickName)) {
    report.change({
      kind: 'port_renamed',
      node,
      port: port(),
      before: namesOf(before),
      after: namesOf(after),
    })
  }
  if (!sameMembers(before.flags, after.flags)) {
    report.change({ kind: 'port_flags', node, port: port(), before: before.flags, after: after.flags })
  }
  const differing: (keyof PortProperties)[] = []
  // The type of a parameter object follows from its class, or from its values; either can be all that a file tells.
  const isTyped = !isOwn && before.typeName !== 'Unknown' && after.typeName !== 'Unknown'
  if (isTyped && before.typeName !== after.typeName) differing.push('typeName')
  if (before.access !== after.access) differing.push('access')
  if ((before.expression ?? '') !== (after.expression ?? '')) differing.push('expression')
  if (!sameMembers(before.options ?? [], after.options ?? [])) differing.push('options')
  if (differing.length > 0) {
    const members = { before: pick(before, differing), after: pick(after, differing) }
    report.change({ kind: 'port_changed', node, port: port(), ...members })
  }
  if (before.wireDisplay !== after.wireDisplay) {
    const looks = { before: before.wireDisplay ?? null, after: after.wireDisplay ?? null }
    report.layout({ kind: 'wires_look', node, port: port(), ...looks })
  }
}

const sameMembers = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((member) => b.includes(member))

/** Whether the values of an object follow from its state, as the lines of a panel from its text. */
function follows({ state }: Node, tree: DataTree | undefined): boolean {
  const known = state as NodeState | undefined
  const list = (values: DataValue[]) => createDataTree(values.length === 0 ? [] : [{ path: [0], values }])
  switch (known?.kind) {
    case 'panel': {
      const lines = listPanelLines(known.text, known.isMultiline)
      return sameTree(tree, list(lines.map((value) => ({ type: 'string', value }))))
    }
    case 'valueList': {
      const selected = known.items
        .filter(({ isSelected }) => isSelected)
        .map(({ expression }) => readConstant(expression))
      return sameTree(tree, list(known.mode === 'checkList' ? selected : selected.slice(0, 1)))
    }
    case 'button':
      return sameTree(tree, list([readConstant(known.normal)]))
    default:
      return false
  }
}

/** Reports the wires into a node. */
function diffWires(comparison: Comparison, older: IndexedNode, newer: IndexedNode, report: Report): void {
  const [before, after] = [older.node, newer.node]
  for (const input of newer.inputs) {
    const beforeInput = findPortBefore(comparison, after.instanceId, input)
    // Wires of an added port came with it, unless another component took the place of the node.
    if (beforeInput === undefined && before.templateId === after.templateId) continue
    diffWiresInto(comparison, before, after, beforeInput, input, report)
  }
  if (before.templateId === after.templateId) return
  for (const input of older.inputs) {
    if (findPortAfter(comparison, after.instanceId, input) === undefined) {
      diffWiresInto(comparison, before, after, input, undefined, report)
    }
  }
}

function diffWiresInto(
  comparison: Comparison,
  before: Node,
  after: Node,
  beforeInput: string | undefined,
  input: string | undefined,
  report: Report,
): void {
  const was = (beforeInput === undefined ? undefined : before.sources[beforeInput]) ?? []
  const is = (input === undefined ? undefined : after.sources[input]) ?? []
  if (was.length === 0 && is.length === 0) return
  const { added, removed, replaced, reordered } = alignLists(
    was,
    is,
    (wire) => keyOfPort(comparison, 'before', wire),
    (wire) => keyOfPort(comparison, 'after', wire),
  )
  if (added.length + removed.length + replaced.length === 0 && !reordered) return
  const to =
    input === undefined
      ? nameEnd(comparison, 'before', { nodeInstanceId: before.instanceId, portInstanceId: beforeInput! })
      : nameEnd(comparison, 'after', { nodeInstanceId: after.instanceId, portInstanceId: input })
  const nameBefore = (wire: (typeof was)[number]) => nameEnd(comparison, 'before', wire)
  const nameAfter = (wire: (typeof is)[number]) => nameEnd(comparison, 'after', wire)
  for (const { item, index } of removed)
    report.change({ kind: 'wire_removed', from: nameBefore(item), to, index })
  for (const one of replaced) {
    const ends = { before: nameBefore(one.before), after: nameAfter(one.after) }
    report.change({ kind: 'wire_replaced', to, index: one.index, ...ends })
  }
  for (const { item, index } of added) report.change({ kind: 'wire_added', from: nameAfter(item), to, index })
  if (reordered) {
    const orders = { before: reordered.before.map(nameBefore), after: reordered.after.map(nameAfter) }
    report.change({ kind: 'wires_reordered', to, ...orders })
  }
}

const SCRIPT_PARTS = ['source', 'imports', 'members'] as const

function diffState(comparison: Comparison, before: Node, after: Node, node: NodeName, report: Report): void {
  if (before.state === after.state) return
  const [older, newer] = [withAfterIds(comparison, before.state), after.state]
  const isSameKind = older?.kind === newer?.kind
  const differing = listMembers(before, after).filter(
    (name) =>
      !LOOK.has(name) &&
      !isWrittenObject(name, older, newer) &&
      !sameMember(name, older?.[name], newer?.[name]),
  )
  const isScript = isSameKind && newer?.kind === 'script'
  const parts = SCRIPT_PARTS.filter((part) => isScript && differing.includes(part)).map(
    (part): ScriptPart => {
      const [was, is] = [String(older?.[part] ?? ''), String(newer?.[part] ?? '')]
      return { part, before: was, after: is, hunks: listHunks(was, is) }
    },
  )
  const settings = differing.filter((name) => !parts.some(({ part }) => part === name))
  if (settings.length > 0) {
    report.change({
      kind: 'settings_changed',
      node,
      before: pick(older, settings),
      after: pick(newer, settings),
    })
  }
  if (parts.length > 0) report.change({ kind: 'script_changed', node, parts })
}

/** Whether one of them keeps the object of its library item and the other has it in its file, as after an export. */
const isWrittenObject = (name: string, older: Node['state'], newer: Node['state']): boolean =>
  name === 'object' && (older?.object === undefined || newer?.object === undefined)

/** The state with the ids of the newer graph, for those that name nodes: timers. */
function withAfterIds({ afterIds }: Comparison, state: Node['state']): Node['state'] {
  if (state?.kind !== 'timer' || !Array.isArray(state.targetIds)) return state
  return { ...state, targetIds: state.targetIds.map((id) => afterIds.get(String(id)) ?? id) }
}
