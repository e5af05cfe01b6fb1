import { addGroup, addNodes, createNode, type Node } from '@meadow/client/live'
import type { Doc } from 'yjs'
import { KINDS } from '../kinds.ts'

/** In canvas units. */
const COLUMN = 200
const ROW = 130
const ROWS = 40

const SPHERE_OF_TRIANGLES = '0a391eac-5048-443c-9c1b-f592299b6dd6'

/** Wires an output of one node to the input of another at an index. */
function wire(from: Node, to: Node, input: number): void {
  const nodeInstanceId = from.instanceId
  to.sources[Object.keys(to.inputs)[input]!] = [
    { nodeInstanceId, portInstanceId: Object.keys(from.outputs)[0]! },
  ]
}

/** Sliders, rows of additions that each take two wires, and panels. */
export function createRows(count: number): Node[] {
  const columns = Math.ceil(count / ROWS)
  const nodes: Node[] = []
  for (let index = 0; index < count; index++) {
    const [column, row] = [Math.floor(index / ROWS), index % ROWS]
    const kind = column === 0 ? KINDS.slider : column === columns - 1 ? KINDS.panel : KINDS.addition
    const node = createNode(kind, { position: { x: column * COLUMN, y: row * ROW } })
    if (column > 0) wire(nodes[index - ROWS]!, node, 0)
    if (kind === KINDS.addition) wire(nodes[index - ROWS - (row > 0 ? 1 : 0)]!, node, 1)
    nodes.push(node)
  }
  return nodes
}

/** Groups of equal size, of the first nodes. */
export function groupRows(doc: Doc, nodes: readonly Node[], groups: { count: number; size: number }): void {
  for (let group = 0; group < groups.count; group++) {
    const members = nodes.slice(group * groups.size, (group + 1) * groups.size)
    addGroup(doc, { label: `Group ${group}`, nodeInstanceIds: members.map(({ instanceId }) => instanceId) })
  }
}

/** Gives the input at an index a value of its own. */
function pin(node: Node, input: number, type: 'number' | 'integer', value: number): void {
  node.values[Object.keys(node.inputs)[input]!] = { branches: [{ path: '{0}', values: [{ type, value }] }] }
}

/** A slider, a long sum that begins with it, and beside the slider what depends on the sum: a panel and a sphere. */
export function fillSum(doc: Doc, count: number): void {
  const slider = createNode(KINDS.slider, { position: { x: 0, y: 0 }, nickName: 'Input' })
  const panel = createNode(KINDS.panel, { position: { x: 0, y: 60 }, nickName: 'Output' })
  const sphere = createNode(KINDS.sphere, { position: { x: 300, y: 0 } })
  const sums = Array.from({ length: count - 3 }, (_, index) => {
    const [column, row] = [Math.floor(index / ROWS), index % ROWS]
    return createNode(KINDS.addition, { position: { x: 500 + column * COLUMN, y: row * ROW } })
  })
  for (const [index, sum] of sums.entries()) {
    wire(sums[index - 1] ?? slider, sum, 0)
    pin(sum, 1, 'number', 0.01)
  }
  wire(sums.at(-1)!, panel, 0)
  wire(sums.at(-1)!, sphere, 1)
  addNodes(doc, [slider, panel, sphere, ...sums])
}

/** Mesh spheres of 50,000 triangles each, beside each other. */
export function fillTriangles(doc: Doc, count: number): void {
  const [around, fromPoleToPole] = [250, 100]
  const trianglesEach = 2 * around * (fromPoleToPole - 1)
  const nodes = Array.from({ length: Math.ceil(count / trianglesEach) }, (_, index) => {
    const node = createNode(SPHERE_OF_TRIANGLES, { position: { x: 0, y: index * ROW } })
    pin(node, 1, 'number', 1 + index)
    pin(node, 2, 'integer', around)
    pin(node, 3, 'integer', fromPoleToPole)
    return node
  })
  addNodes(doc, nodes)
}
