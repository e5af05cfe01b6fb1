import {
  addGroup,
  addNodes,
  connect,
  createNode,
  type GraphContent,
  LiveEditError,
  moveNodes,
  type Node,
  type PortReference,
  pinPort,
  removeNodes,
  renameNode,
  setEnabled,
  setSlider,
} from '@meadow/client/live'
import type * as Y from 'yjs'
import { createRandom } from '../../../testing/random.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'

/** Numbers from 0 up to below `limit`, the same for the same seed. */
export type Choose = (limit: number) => number

/** Chooses with a seeded generator. */
export function createChoose(seed: number): Choose {
  const { fraction } = createRandom(seed)
  return (limit) => Math.floor(fraction() * limit)
}

/** Makes a random edit of a document; edits that are not possible are skipped. */
export function editAtRandom(doc: Y.Doc, content: GraphContent, choose: Choose): void {
  const nodes = Object.values(content.nodes)
  const node = nodes[choose(nodes.length)]
  try {
    if (!node || choose(4) === 0)
      addNodes(doc, [createNode(choose(2) ? SLIDER : ADDITION, { position: at(choose) })])
    else EDITS[choose(EDITS.length)]!(doc, node, nodes, choose)
  } catch (error) {
    if (!(error instanceof LiveEditError)) throw error
  }
}

const at = (choose: Choose) => ({ x: choose(1000), y: choose(1000) })

const EDITS: ((doc: Y.Doc, node: Node, nodes: readonly Node[], choose: Choose) => void)[] = [
  (doc, { instanceId }) => removeNodes(doc, [instanceId]),
  (doc, { instanceId }, _, choose) => moveNodes(doc, { [instanceId]: at(choose) }),
  (doc, { instanceId }, _, choose) => renameNode(doc, instanceId, `name ${choose(9)}`),
  (doc, { instanceId }, _, choose) => setEnabled(doc, [instanceId], choose(2) === 0),
  (doc, { instanceId }, _, choose) => setSlider(doc, instanceId, choose(100) / 100),
  (doc, { instanceId }, nodes, choose) =>
    addGroup(doc, {
      nodeInstanceIds: [instanceId, nodes[choose(nodes.length)]!.instanceId],
      label: `group ${choose(9)}`,
    }),
  (doc, node, nodes, choose) => {
    const from = pickPort(nodes[choose(nodes.length)]!, 'outputs', choose)
    const to = pickPort(node, 'inputs', choose)
    if (from && to) connect(doc, { from, to })
  },
  (doc, node, _, choose) => {
    const port = pickPort(node, 'outputs', choose)
    if (port) pinPort(doc, 'outputs', port)
  },
]

function pickPort(node: Node, side: 'inputs' | 'outputs', choose: Choose): PortReference | undefined {
  const ports = Object.keys(node[side])
  const portInstanceId = ports[choose(ports.length)]
  return portInstanceId === undefined ? undefined : { nodeInstanceId: node.instanceId, portInstanceId }
}
