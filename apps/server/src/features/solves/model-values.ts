import type { GraphContent } from '@meadow/contract'
import { formatPath } from '@meadow/document'
import type { ModelValue } from '@meadow/model'
import { isGeometry, type Solution } from '@meadow/solver'

/** All geometry of a solution with what it was computed for, as a model file takes it. */
export function listModelValues({ nodes }: GraphContent, { ports }: Solution): ModelValue[] {
  const listed: ModelValue[] = []
  for (const [nodeInstanceId, trees] of ports) {
    const node = nodes[nodeInstanceId]!
    for (const [portInstanceId, { branches }] of trees) {
      const portName = node.ports[portInstanceId]?.name ?? ''
      for (const { path, values } of branches) {
        const place = { nodeInstanceId, portInstanceId, path: formatPath(path) }
        for (const [index, value] of values.entries()) {
          if (value === null || !isGeometry(value)) continue
          listed.push({ ...place, index, value, nodeName: node.nickName || node.name, portName })
        }
      }
    }
  }
  return listed
}
