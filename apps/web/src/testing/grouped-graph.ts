import { createNode, type Node } from '@meadow/client/live'
import { KINDS } from './kinds.ts'

/** A group as `addGroup` takes it. */
export interface MadeGroup {
  id: string
  label: string
  colour: string
  nodeInstanceIds: string[]
  groupIds: string[]
}

/** In canvas units. */
const COLUMN = 240
const ROW = 130
const COLOURS = ['#aa87ff96', '#ffffff96', '#aa000064', '#aa870064', '#dde8b796', '#1e1e1e96', '#fcd9e9ff']
/** Every group of this many lies in a group of its own, and as many of those in a further one. */
const NESTING = 5

/**
 * A graph of wired nodes in columns, in groups that are nested three deep, as definitions of the size have them. The ids
 * of its groups start with `prefix`.
 */
export function createGroupedGraph(nodeCount: number, groupCount: number, prefix = 'group') {
  const rows = Math.ceil(Math.sqrt(nodeCount * 0.9))
  const nodes: Node[] = []
  for (let index = 0; index < nodeCount; index++) {
    const [column, row] = [Math.floor(index / rows), index % rows]
    const kind = column === 0 ? KINDS.slider : index % 7 === 6 ? KINDS.panel : KINDS.addition
    const position = { x: column * COLUMN, y: row * ROW }
    const node = createNode(kind, { position, nickName: index % 5 === 0 ? `Step ${index}` : '' })
    // Most wires are short; each twentieth comes from the first column.
    const before = [nodes[index - rows], nodes[index % 20 === 0 ? row : index - rows - (row > 0 ? 1 : 0)]]
    for (const [port, input] of Object.keys(node.inputs).entries()) {
      const source = before[port]
      const output = source && Object.keys(source.outputs)[0]
      if (source && output && kind !== KINDS.slider)
        node.sources[input] = [{ nodeInstanceId: source.instanceId, portInstanceId: output }]
    }
    nodes.push(node)
  }
  return { nodes, groups: createGroups(nodes, groupCount, prefix) }
}

function createGroups(nodes: readonly Node[], count: number, prefix: string): MadeGroup[] {
  // Of n groups without groups in them, a fifth as many hold those, and so on.
  const innermost = Math.ceil(count * (1 - 1 / NESTING))
  const startOf = (index: number) => Math.floor((index * nodes.length) / innermost)
  const groups: MadeGroup[] = []
  const add = (members: Pick<MadeGroup, 'nodeInstanceIds' | 'groupIds'>) =>
    groups.push({
      id: `${prefix}-${groups.length}`,
      label: groups.length % 3 === 0 ? `Part ${groups.length}` : '',
      colour: COLOURS[groups.length % COLOURS.length]!,
      ...members,
    })
  for (let index = 0; index < innermost; index++) {
    const members = nodes.slice(startOf(index), startOf(index + 1))
    add({ nodeInstanceIds: members.map(({ instanceId }) => instanceId), groupIds: [] })
  }
  for (let from = 0; groups.length < count; from += NESTING)
    add({ nodeInstanceIds: [], groupIds: groups.slice(from, from + NESTING).map(({ id }) => id) })
  return groups
}
