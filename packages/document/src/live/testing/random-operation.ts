import type { Node, PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { addGroup, editGroup, removeGroups } from '../edit/groups.ts'
import { addNodes, moveNodes, removeNodes, renameNode, setEnabled, setPreviewed } from '../edit/nodes.ts'
import { pinPort, unpinPort } from '../edit/pins.ts'
import { addPort, editPort, removePort } from '../edit/ports.ts'
import { replaceNode } from '../edit/replace-node.ts'
import { setPanelText, setSlider, setState, setValues } from '../edit/values.ts'
import { connect, disconnect, orderWires } from '../edit/wires.ts'
import { readLiveDocument } from '../projection/live-projector.ts'
import { createAddition, createPanel, createSlider, integer } from './test-content.ts'

/** Returns integers from 0 to below a limit, which determine the edit. */
export type Choose = (limit: number) => number

type Operation = (doc: Y.Doc, choose: Choose, origin: unknown, id: string) => void

/** One operation on existing parts. `id` is that of a part it may add. */
export function operate(doc: Y.Doc, choose: Choose, origin: unknown, id: string): void {
  OPERATIONS[choose(OPERATIONS.length)]!(doc, choose, origin, id)
}

const nodesOf = (doc: Y.Doc) => Object.values(readLiveDocument(doc).nodes)

function pick<T>(items: readonly T[], choose: Choose): T | undefined {
  return items[choose(Math.max(1, items.length))]
}

/** Calls an operation with a node, if there is one. */
const withNode =
  (operation: (doc: Y.Doc, node: Node, choose: Choose, origin: unknown, id: string) => void): Operation =>
  (doc, choose, origin, id) => {
    const node = pick(nodesOf(doc), choose)
    if (node) operation(doc, node, choose, origin, id)
  }

function listPorts(node: Node, side: 'inputs' | 'outputs'): PortReference[] {
  return Object.keys(node[side]).map((portInstanceId) => ({
    nodeInstanceId: node.instanceId,
    portInstanceId,
  }))
}

const withPort = (
  operation: (doc: Y.Doc, node: Node, port: PortReference, choose: Choose, origin: unknown) => void,
): Operation =>
  withNode((doc, node, choose, origin) => {
    const port = pick([...listPorts(node, 'inputs'), ...listPorts(node, 'outputs')], choose)
    if (port) operation(doc, node, port, choose, origin)
  })

const withGroup =
  (operation: (doc: Y.Doc, id: string, choose: Choose, origin: unknown) => void): Operation =>
  (doc, choose, origin) => {
    const group = pick(readLiveDocument(doc).groups, choose)
    if (group) operation(doc, group.id, choose, origin)
  }

const lay: Operation = (doc, choose, origin) => {
  const nodes = nodesOf(doc)
  const from = pick(
    nodes.flatMap((node) => listPorts(node, 'outputs')),
    choose,
  )
  const to = pick(
    nodes.flatMap((node) => listPorts(node, 'inputs')),
    choose,
  )
  if (from && to) connect(doc, { from, to, at: choose(3) }, origin)
}

/** Classes of a component, a parameter and an object, to replace nodes by. */
const CLASSES = [
  'a0d62394-a118-422d-abb3-6af115c75b25',
  '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312',
  '59e0b89a-e487-49f8-bab8-b5bab16be14c',
]

const OPERATIONS: readonly Operation[] = [
  lay,
  lay,
  (doc, choose, origin, id) =>
    addNodes(doc, [[createAddition, createSlider, createPanel][choose(3)]!(id)], origin),
  withNode((doc, node, _, origin) => removeNodes(doc, [node.instanceId], origin)),
  withNode((doc, node, choose, origin) =>
    replaceNode(doc, node.instanceId, { templateId: pick(CLASSES, choose)! }, origin),
  ),
  withNode((doc, node, choose, origin) =>
    moveNodes(doc, { [node.instanceId]: { x: choose(99), y: choose(99) } }, origin),
  ),
  withNode((doc, node, choose, origin) => renameNode(doc, node.instanceId, `name ${choose(99)}`, origin)),
  withNode((doc, node, choose, origin) => setEnabled(doc, [node.instanceId], choose(2) === 1, origin)),
  withNode((doc, node, choose, origin) => setPreviewed(doc, [node.instanceId], choose(2) === 1, origin)),
  withNode((doc, node, choose, origin) => setSlider(doc, node.instanceId, choose(101), origin)),
  withNode((doc, node, choose, origin) => setPanelText(doc, node.instanceId, `text ${choose(99)}`, origin)),
  withNode((doc, node, choose, origin) =>
    setState(doc, node.instanceId, { [`kept${choose(3)}`]: choose(2) ? choose(99) : undefined }, origin),
  ),
  withNode((doc, { instanceId, sources }, choose, origin) => {
    const [portInstanceId, wires = []] = pick(Object.entries(sources), choose) ?? []
    const from = pick(wires, choose)
    if (portInstanceId && from)
      disconnect(doc, { from, to: { nodeInstanceId: instanceId, portInstanceId } }, origin)
  }),
  withNode((doc, { instanceId, sources }, choose, origin) => {
    const [portInstanceId, wires = []] = pick(Object.entries(sources), choose) ?? []
    if (!portInstanceId) return
    const turned = wires.slice(choose(3))
    const order = [...turned, ...wires.filter((wire) => !turned.includes(wire))]
    orderWires(doc, { nodeInstanceId: instanceId, portInstanceId }, order, origin)
  }),
  withPort((doc, _, port, choose, origin) =>
    setValues(doc, port, choose(3) ? integer(choose(99)) : undefined, origin),
  ),
  withPort((doc, _, port, choose, origin) =>
    editPort(
      doc,
      port,
      { nickName: `p${choose(9)}`, flags: { graft: choose(2) === 1, reverse: choose(2) === 1 } },
      origin,
    ),
  ),
  withPort((doc, _, port, choose, origin) => pinPort(doc, choose(2) ? 'inputs' : 'outputs', port, origin)),
  withPort((doc, _, port, choose, origin) => unpinPort(doc, choose(2) ? 'inputs' : 'outputs', port, origin)),
  withPort((doc, _, port, __, origin) => removePort(doc, port, origin)),
  withNode((doc, node, choose, origin, id) => {
    const port = { name: id, nickName: id, typeName: 'Number', access: 'item' as const, flags: [] }
    addPort(doc, node.instanceId, { id, side: choose(2) ? 'input' : 'output', port, at: choose(3) }, origin)
  }),
  (doc, choose, origin, id) => {
    const { groups } = readLiveDocument(doc)
    const members = nodesOf(doc).filter(() => choose(2) === 1)
    const inside = groups.filter(() => choose(2) === 1)
    const [nodeInstanceIds, groupIds] = [
      members.map(({ instanceId }) => instanceId),
      inside.map((group) => group.id),
    ]
    addGroup(doc, { id, label: `group ${id}`, nodeInstanceIds, groupIds }, origin)
  },
  withGroup((doc, id, _, origin) => removeGroups(doc, [id], origin)),
  withGroup((doc, id, choose, origin) => {
    const [node, group] = [pick(nodesOf(doc), choose), pick(readLiveDocument(doc).groups, choose)]
    const members = {
      nodeInstanceIds: node ? [node.instanceId] : [],
      groupIds: group && choose(2) ? [group.id] : [],
    }
    editGroup(doc, id, { label: `group ${choose(9)}`, [choose(2) ? 'add' : 'remove']: members }, origin)
  }),
]
