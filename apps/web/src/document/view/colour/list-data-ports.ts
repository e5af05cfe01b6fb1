import type { GraphContent, PortReference } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { count } from '../../../shell/count.ts'

/** Data of these types is geometry, which no colour can stand for. */
const GEOMETRY = new Set([
  ...[
    'Arc',
    'Box',
    'Brep',
    'Circle',
    'Curve',
    'Extrusion',
    'Field',
    'Geometry',
    'Group',
    'Hatch',
    'Line',
    'Mesh',
  ],
  ...[
    'Mesh Face',
    'Plane',
    'Point',
    'Point Cloud',
    'Rectangle',
    'SubD',
    'Surface',
    'Transform',
    'Twisted Box',
    'Vector',
  ],
])

export const writePortOption = ({ nodeInstanceId, portInstanceId }: PortReference): string =>
  `port ${nodeInstanceId} ${portInstanceId}`

export function readPortOption(value: string): PortReference | undefined {
  const [kind, nodeInstanceId, portInstanceId] = value.split(' ')
  return kind === 'port' && nodeInstanceId && portInstanceId ? { nodeInstanceId, portInstanceId } : undefined
}

/**
 * Lists the outputs whose values objects can be coloured by: those with as many values, or as many branches, as
 * geometry of the solution. The output that is chosen is always listed.
 */
export function listDataPorts({
  content,
  solution,
  chosen,
}: {
  content: GraphContent
  solution: EditorSolution | undefined
  chosen: PortReference | undefined
}): { value: string; label: string }[] {
  const ports = Object.values(content.nodes).flatMap((node) =>
    Object.entries(solution?.nodes[node.instanceId]?.ports ?? {}).map(([portId, summary]) => {
      const port = node.ports[portId]
      return { node, portId, summary, port, isGeometry: GEOMETRY.has(port?.typeName ?? '') }
    }),
  )
  const shapes = ports.filter(({ isGeometry, summary }) => isGeometry && summary.values > 0)
  const counts = new Set(shapes.map(({ summary }) => summary.values))
  const branches = new Set(shapes.map(({ summary }) => summary.branches))
  return ports
    .filter(({ node, portId, summary, isGeometry }) => {
      if (node.instanceId === chosen?.nodeInstanceId && portId === chosen.portInstanceId) return true
      if (isGeometry || summary.values === 0) return false
      return counts.has(summary.values) || (summary.branches > 1 && branches.has(summary.branches))
    })
    .map(({ node, portId, port, summary }) => {
      const nodeName = node.nickName || node.name
      const portName = portId === node.instanceId ? '' : `: ${port?.nickName || port?.name || ''}`
      return {
        value: writePortOption({ nodeInstanceId: node.instanceId, portInstanceId: portId }),
        label: `${nodeName}${portName} (${count(summary.values, 'value')})`,
      }
    })
    .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }))
}
