import type { GraphContent } from '@meadow/contract'
import { formatPath } from '@meadow/document'
import type { ModelValue } from '@meadow/model'
import { type Geometry, isGeometry, type Opaque, type Solution, type Value } from '@meadow/solver'

/** All geometry of a solution with what it was computed for and drawn with, as a model file takes it. */
export function listModelValues({ nodes }: GraphContent, { ports, colours }: Solution): ModelValue[] {
  const listed: ModelValue[] = []
  for (const [nodeInstanceId, trees] of ports) {
    const node = nodes[nodeInstanceId]!
    for (const [portInstanceId, { branches }] of trees) {
      const portName = node.ports[portInstanceId]?.name ?? ''
      for (const { path, values } of branches) {
        const place = { nodeInstanceId, portInstanceId, path: formatPath(path) }
        for (const [index, value] of values.entries()) {
          if (value === null || !isModelled(value)) continue
          const colour = value.type === 'opaque' ? undefined : colours.get(value)
          const names = { nodeName: node.nickName || node.name, portName }
          listed.push({ ...place, index, value, ...names, ...(colour && { colour }) })
        }
      }
    }
  }
  return listed
}

/** Geometry, and what was typed in as geometry although the solver could not look into it: a hatch, a SubD, a text. */
function isModelled(value: Value): value is Geometry | Opaque {
  return (
    isGeometry(value) ||
    (typeof value === 'object' && value.type === 'opaque' && value.wire.geometry !== undefined)
  )
}
