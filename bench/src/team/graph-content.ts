import type { GraphContent, Node } from '@meadow/contract'
import type { Random } from '@meadow/server/src/testing/random.ts'

const NUMBER_SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'

/** The content of most documents, which no measured read returns. */
export const EMPTY_CONTENT = Buffer.from(
  JSON.stringify({
    nodes: {},
    groups: [],
    configuration: { inputs: [], outputs: [] },
  } satisfies GraphContent),
)

/** Creates the JSON of a graph of sliders and sums with a length of about `bytes`. */
export function createContent(random: Random, bytes: number): Buffer {
  const content: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }
  let size = EMPTY_CONTENT.length
  let source: Node | undefined
  while (size < bytes) {
    const node: Node = source ? sum(random, source) : slider(random)
    content.nodes[node.instanceId] = node
    size += JSON.stringify(node).length + node.instanceId.length + 4
    source = random.fraction() < 0.5 ? node : undefined
  }
  return Buffer.from(JSON.stringify(content))
}

const NUMBER_PORT = { name: 'Number', nickName: 'N', typeName: 'Number', access: 'item', flags: [] } as const

function slider(random: Random): Node {
  const instanceId = random.uuid()
  const value = { type: 'number', value: random.whole(0, 1000) / 10 } as const
  return {
    instanceId,
    templateId: NUMBER_SLIDER,
    name: 'Number Slider',
    nickName: random.pick(['Height', 'Width', 'Count', 'Radius', 'Offset']),
    position: { x: random.whole(0, 4000), y: random.whole(0, 3000) },
    status: { isEnabled: true, isPreviewed: true },
    inputs: {},
    outputs: { [instanceId]: 0 },
    sources: {},
    values: { [instanceId]: { branches: [{ path: '{0}', values: [value] }] } },
    ports: { [instanceId]: { ...NUMBER_PORT, flags: [] } },
  }
}

function sum(random: Random, slider: Node): Node {
  const [a, b, result] = [random.uuid(), random.uuid(), random.uuid()]
  const source = { nodeInstanceId: slider.instanceId, portInstanceId: Object.keys(slider.outputs)[0]! }
  const port = { ...NUMBER_PORT, flags: [] }
  return {
    instanceId: random.uuid(),
    templateId: ADDITION,
    name: 'Addition',
    nickName: 'A+B',
    position: { x: random.whole(0, 4000), y: random.whole(0, 3000) },
    status: { isEnabled: true, isPreviewed: true },
    inputs: { [a]: 0, [b]: 1 },
    outputs: { [result]: 0 },
    sources: { [a]: [source], [b]: [source] },
    values: {},
    ports: {
      [a]: { ...port, nickName: 'A' },
      [b]: { ...port, nickName: 'B' },
      [result]: { ...port, nickName: 'R' },
    },
  }
}
