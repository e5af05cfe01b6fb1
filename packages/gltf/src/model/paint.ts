import type { Node } from '@meadow/contract'
import { findPath } from '@meadow/document'
import type { Shader, Value } from '@meadow/geometry/values/value'
import { decodeGeometry } from '@meadow/model/decode'
import { type Data, listPainters, paintPreviews } from '@meadow/solver'
import type { DocumentInput } from './inputs.ts'
import type { PortValues } from './read-values.ts'
import type { DecodeCache } from './shapes.ts'

/**
 * Returns the materials that the previews of a document (Custom Preview, Dot Display, Cloud Display) give to the values
 * of its solution, by value of the cache. The API has no materials: they follow from the wires into these nodes.
 */
export function findMaterials(
  ports: readonly PortValues[],
  document: DocumentInput | undefined,
  cache: DecodeCache,
): ReadonlyMap<Value, Shader> {
  const painters = document ? listPainters(document.nodes as Record<string, Node>) : []
  const wanted = new Set(
    painters.flatMap(({ sources }) => Object.values(sources).flatMap((wires) => wires.map(toKey))),
  )
  const solved = new Map<string, Map<string, Data>>()
  for (const port of ports) {
    if (!wanted.has(toKey(port))) continue
    const trees = solved.get(port.nodeInstanceId) ?? new Map<string, Data>()
    solved.set(port.nodeInstanceId, trees.set(port.portInstanceId, toTree(port, cache)))
  }
  return paintPreviews(painters, solved, decodeGeometry)
}

const toKey = ({ nodeInstanceId, portInstanceId }: { nodeInstanceId: string; portInstanceId: string }) =>
  JSON.stringify([nodeInstanceId, portInstanceId])

const toTree = ({ branches }: PortValues, cache: DecodeCache): Data => ({
  branches: branches.map(({ path, values }) => ({
    path: findPath(path) ?? [],
    values: values.map((value) => cache.decode(value)),
  })),
})
