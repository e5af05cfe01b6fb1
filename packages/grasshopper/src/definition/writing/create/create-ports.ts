import { createDataTree, type LibraryPort, type Node, type Port } from '@meadow/document'
import type { Chunk, Rectangle } from '../../../archive/archive.ts'
import { createChunk } from '../../../archive/create.ts'
import { findLibraryPorts } from '../../ports/library-ports.ts'
import { listHiddenDefault } from '../../values/hidden-defaults.ts'
import { rowsOf } from '../layout.ts'
import { createPort, type Side } from '../ports/create-port.ts'
import { rearrangePorts } from '../ports/rearrange-ports.ts'
import { stableGuid } from '../stable-guid.ts'
import { updateValues } from '../values/update-values.ts'

/** The ports of a component to which users can add some, with their types. */
export function createVariablePorts(node: Node): Chunk {
  const data = createChunk('ParameterData')
  rearrangePorts(data, node, node)
  return data
}

/**
 * The ports of a component whose library tells how many it has: Grasshopper finds a component damaged that lacks one.
 * One that the node lacks is made with its default, under an id that is derived from the node's.
 */
export function createFixedPorts(node: Node, bounds: Rectangle): Chunk[] {
  const rows = rowsOf(node, bounds)
  return (['input', 'output'] as const).flatMap((side) =>
    matchPorts(node, side).map((match, index) => {
      const chunk =
        typeof match === 'string'
          ? createPort(match, node.ports[match] as Port, side, rows.get(match) ?? bounds)
          : createMissing(stableGuid('port', node.instanceId, side, String(index)), match, side, bounds)
      const { typeName } = typeof match === 'string' ? (node.ports[match] as Port) : match
      if (side === 'input') chunk.chunks.push(...listHiddenDefault(typeName))
      return Object.assign(chunk, { name: `param_${side}`, index })
    }),
  )
}

/** The node's port for each port of the library, by order, or by name where the node has more or fewer. */
function matchPorts(node: Node, side: Side): (string | LibraryPort)[] {
  const ids = Object.keys(node[`${side}s`])
  const library = findLibraryPorts(node.templateId)?.[side]
  if (!library || library.length === ids.length) return ids
  const free = new Set(ids)
  return library.map((port) => {
    const id = [...free].find((candidate) => node.ports[candidate]?.name === port.name)
    if (id !== undefined) free.delete(id)
    return id ?? port
  })
}

function createMissing(id: string, port: LibraryPort, side: Side, bounds: Rectangle): Chunk {
  const { defaults, isOptional, ...facts } = port
  const options: Port['options'] = isOptional ? ['optional'] : []
  const chunk = createPort(id, { ...facts, flags: [], options }, side, bounds)
  const tree = createDataTree(defaults.length > 0 ? [{ path: [0], values: defaults }] : [])
  updateValues({ chunk, typeName: port.typeName }, undefined, tree, {
    findOpaque: () => undefined,
    report: () => {},
  })
  return chunk
}
