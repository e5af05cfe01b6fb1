import type { GraphContent, Node } from '@meadow/contract'
import { createGraph } from '../graph/create-graph.ts'

/** A rainwater basin that cannot be solved: its width depends on its depth, and its depth on its width. */
export function circularBasin(): GraphContent {
  const content = createGraph('Circular basin', ({ group, note, slider, add, panel, pin }) => {
    group('Design', 'inputs')
    note(
      'Fails on purpose: the wires below run in a circle.\n' +
        'The width needs the footprint, the footprint the depth, the depth the width.',
    )
    const volume = slider('Volume (m³)', 24, { from: 5, to: 100 })
    const length = slider('Length (m)', 6, { from: 2, to: 20 })

    group('Basin', 'geometry')
    const footprint = add('Multiplication', [length, 1], 'Side')
    const width = add('Division', [volume, footprint], 'Width')
    const depth = add('Division', [width, 2], 'Depth')

    group('Figures', 'results')
    panel('Width of the basin (m)', width)
    panel('Depth of the basin (m)', depth)
    pin([volume, length], [width, depth])
  })
  return closeCycle(content)
}

/** Adds the wire that a canvas cannot draw, because its source is drawn after its target. */
function closeCycle(content: GraphContent): GraphContent {
  const depth = getNode(content, 'Depth')
  const side = getNode(content, 'Side')
  const [result] = Object.keys(depth.outputs)
  const second = Object.keys(side.inputs).find((port) => side.inputs[port] === 1)
  side.sources[second!] = [{ nodeInstanceId: depth.instanceId, portInstanceId: result! }]
  return content
}

function getNode({ nodes }: GraphContent, nickName: string): Node {
  const node = Object.values(nodes).find((node) => node.nickName === nickName)
  if (!node) throw new Error(`There is no node "${nickName}".`)
  return node
}
