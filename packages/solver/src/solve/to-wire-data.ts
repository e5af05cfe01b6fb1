import type { DataTree } from '@meadow/contract'
import { createRecord, formatPath } from '@meadow/document'
import { type EncodeGeometry, encodeValue } from './encode-value.ts'
import type { Solution } from './solve.ts'
import type { Data } from './solve-context.ts'

/** The data of a solution in the wire format, by node id and port id: `data` of decision 24, without the solution's id. */
export function toWireData(
  { ports }: Pick<Solution, 'ports'>,
  encodeGeometry?: EncodeGeometry,
): Record<string, Record<string, DataTree>> {
  return createRecord(
    [...ports].map(([nodeId, trees]) => [
      nodeId,
      createRecord([...trees].map(([portId, tree]) => [portId, toWireTree(tree, encodeGeometry)])),
    ]),
  )
}

/** One tree in the wire format. */
export function toWireTree(tree: Data, encodeGeometry?: EncodeGeometry): DataTree {
  return {
    branches: tree.branches.map(({ path, values }) => ({
      path: formatPath(path),
      values: values.map((value) => encodeValue(value, encodeGeometry)),
    })),
  }
}
