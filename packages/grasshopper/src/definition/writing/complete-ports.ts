import type { Node } from '@meadow/document'
import { createChunk, createItem } from '../../archive/tree/edit.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import { insertLeftOutPorts } from '../model/left-out-ports.ts'
import { hasHiddenDefault, listHiddenDefault } from '../reading/values/hidden-defaults.ts'
import { findBounds, rowsOf } from './layout.ts'
import { updateValues } from './values/update-values.ts'

/**
 * Writes the ports that the file leaves out of a component that is about to be written, with their defaults: a port that is
 * there without values has none. Returns the ids of those with a default that the document does not show.
 */
export function completePorts(object: DefinitionObject, node: Node): string[] {
  const added = insertLeftOutPorts(object)
  if (added.length === 0) return []
  const rows = rowsOf(node, findBounds(node))
  for (const port of added) {
    const { id, chunk, typeName = '' } = port
    const bounds = rows.get(id) ?? { x: 0, y: 0, width: 0, height: 0 }
    const { x, y, width, height } = bounds
    chunk.chunks.push(
      createChunk('Attributes', [
        createItem('drawing_rectanglef', 'Bounds', bounds),
        createItem('drawing_pointf', 'Pivot', { x: x + width / 2, y: y + height / 2 }),
      ]),
    )
    if (chunk.name === 'param_input') chunk.chunks.push(...listHiddenDefault(typeName))
    updateValues({ chunk, typeName }, undefined, node.values[id], {
      findOpaqueItem: () => undefined,
      report: () => {},
    })
    delete port.leftOut
  }
  return added.flatMap(({ id, typeName = '', chunk }) =>
    chunk.name === 'param_input' && hasHiddenDefault(typeName) ? [id] : [],
  )
}
