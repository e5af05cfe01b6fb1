import { randomUUID } from 'node:crypto'
import type { GraphContent, Node } from '@meadow/contract'
import type { NodeState } from '@meadow/document'
import { createNode } from '@meadow/document/live'
import { createBareNode } from '../../../testing/graph/create-nodes.ts'

export const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const PYTHON = '410755b1-224a-4c1e-a407-bf32fb45ea7e'
export const KANGAROO = {
  guid: 'aaaaaaaa-0000-4000-8000-000000000001',
  libraryId: 'bbbbbbbb-0000-4000-8000-000000000001',
}

const at = { position: { x: 0, y: 0 } }
const bare = (guid: string, name: string, state: Node['state']): Node =>
  createBareNode({ id: randomUUID(), kind: { guid, name }, nickName: name, state: state as NodeState })

/** A port, so that the node is not taken for a decoration of the canvas. */
function withInput(node: Node): Node {
  const port = randomUUID()
  const described = { name: 'x', nickName: 'x', typeName: 'Number', access: 'item', flags: [] } as const
  return { ...node, inputs: { [port]: 0 }, ports: { [port]: { ...described, flags: [] } } }
}

export const slider = (): Node => createNode(SLIDER, at)
export const panel = (): Node => createNode(PANEL, at)
export const addition = (): Node => createNode(ADDITION, at)

/** A component of the plug-in Kangaroo2. */
export const kangaroo = (version = '2.42'): Node =>
  withInput(
    bare(KANGAROO.guid, 'Bouncy Solver', {
      kind: 'plugin',
      libraryId: KANGAROO.libraryId,
      library: 'Kangaroo2',
      version,
    }),
  )

export const script = (source: string, language = 'python2'): Node =>
  withInput(bare(PYTHON, 'GhPython Script', { kind: 'script', language, source }))

/** A parameter that points to an object of a Rhino model. */
export function reference(id: string): Node {
  const node = createNode('deaf8653-5528-4286-807c-3de8b8dad781', at)
  const value = {
    type: 'surface',
    value: { description: 'Surface', boundingBox: null },
    referenceId: id,
  } as const
  return { ...node, values: { [node.instanceId]: { branches: [{ path: '{0}', values: [value] }] } } }
}

/** The wire from the only output of one node to the first input of another. */
export function wire(from: Node, to: Node): Node {
  const [output] = Object.keys(from.outputs)
  const [input] = Object.keys(to.inputs)
  const source = { nodeInstanceId: from.instanceId, portInstanceId: output! }
  return { ...to, sources: { ...to.sources, [input!]: [source] } }
}

export const graphOf = (...nodes: Node[]): GraphContent => ({
  nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
  groups: [],
  configuration: { inputs: [], outputs: [] },
})
