import { addGroup, addNodes, createNode, type Node, openLive } from '@meadow/client/live'
import { KINDS } from './kinds.ts'

/** In canvas units. */
const COLUMN = 200
const ROW = 130
const ROWS = 40

/** Fills an open document with rows of a slider, additions that each take two wires, and a panel; in groups. */
export async function fillWithNodes(
  where: { address: string; documentId: string; cookie: string },
  count: number,
): Promise<void> {
  const live = await openLive(where)
  const nodes: Node[] = []
  const columns = Math.ceil(count / ROWS)
  for (let index = 0; index < count; index++) {
    const [column, row] = [Math.floor(index / ROWS), index % ROWS]
    const kind = column === 0 ? KINDS.slider : column === columns - 1 ? KINDS.panel : KINDS.addition
    const node = createNode(kind, { position: { x: column * COLUMN, y: row * ROW } })
    const before = [nodes[index - ROWS], nodes[index - ROWS - (row > 0 ? 1 : 0)]]
    for (const [index, input] of Object.keys(node.inputs).entries()) {
      const source = before[index]
      const output = source && Object.keys(source.outputs)[0]
      if (source && output && kind !== KINDS.slider)
        node.sources[input] = [{ nodeInstanceId: source.instanceId, portInstanceId: output }]
    }
    nodes.push(node)
  }
  live.edit((doc) => {
    addNodes(doc, nodes)
    for (let from = 0; from + ROWS <= count; from += 10 * ROWS) {
      const members = nodes.slice(from, from + ROWS).map(({ instanceId }) => instanceId)
      addGroup(doc, { label: `Column ${from / ROWS}`, nodeInstanceIds: members })
    }
  })
  await live.durable()
  live.close()
}
