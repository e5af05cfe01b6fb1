import type { Node, Port } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { setChunks, setItem, setItems } from '../../../archive/edit.ts'
import { findItem, listChunks } from '../../../archive/find.ts'
import { boundsOf, rowsOf, sizeOfComponent } from '../layout.ts'
import { createPort, type Side } from './create-port.ts'
import { hasFixedNames } from './fixed-names.ts'
import { DATA_TYPE_ID, findTypeId } from './type-id.ts'

/** How the ports of a side are told in a ParameterData chunk. */
const NAMES = {
  input: { port: 'InputParam', type: 'InputId', count: 'InputCount' },
  output: { port: 'OutputParam', type: 'OutputId', count: 'OutputCount' },
} as const

/** Makes the ports of a ParameterData chunk those of the node, in its order; what stays keeps all that its chunk holds. */
export function rearrangePorts(data: Chunk, before: Node, after: Node): void {
  const rows = rowsOf(after, boundsOf(after, sizeOfComponent(after), true))
  for (const side of ['input', 'output'] as const) {
    const { port, type, count } = NAMES[side]
    const known = mapKnown(data, side)
    const arranged = Object.keys(side === 'input' ? after.inputs : after.outputs).map((id) => {
      const [facts, earlier] = [after.ports[id] as Port, before.ports[id]]
      const found = known.get(id)
      const bounds = rows.get(id) ?? { x: 0, y: 0, width: 0, height: 0 }
      return {
        chunk: found?.chunk ?? createNamed(after.templateId, createPort(id, facts, side, bounds), side),
        typeId:
          (earlier?.typeName === facts.typeName ? found?.typeId : undefined) ?? findTypeId(facts.typeName),
      }
    })
    setChunks(
      data,
      port,
      arranged.map(({ chunk }) => chunk),
    )
    setItems(
      data,
      'guid',
      type,
      arranged.map(({ typeId }) => typeId ?? DATA_TYPE_ID),
    )
    setItem(data, 'int32', count, arranged.length)
  }
}

function createNamed(classId: string, port: Chunk, side: Side): Chunk {
  if (hasFixedNames(classId, side)) setItem(port, 'bool', 'Mutable', false)
  return port
}

function mapKnown(data: Chunk, side: Side): Map<string, { chunk: Chunk; typeId: string | undefined }> {
  const { port, type } = NAMES[side]
  return new Map(
    listChunks(data, port).flatMap((chunk) => {
      const id = findItem(chunk, 'InstanceGuid', 'guid')
      const typeId = findItem(data, type, 'guid', chunk.index)
      return id === undefined ? [] : [[id, { chunk, typeId }] as const]
    }),
  )
}
