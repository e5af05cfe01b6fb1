import type { Node } from '@meadow/contract'
import { createBudget } from '@meadow/geometry/budget/budget'
import type { DecodeGeometry } from '@meadow/geometry/values/decode-value'
import type { Geometry, Opaque, Shader } from '@meadow/geometry/values/value'
import type { Kind } from '../kinds/declaration/define-kind.ts'
import { PAINTERS } from '../kinds/display/painters.ts'
import { createMessageLog } from './messages.ts'
import { prepareNode } from './prepare-graph.ts'
import type { PortData } from './solve-context.ts'
import { solveComponent } from './solve-node.ts'

const BY_CLASS: ReadonlyMap<string, Kind> = new Map(
  PAINTERS.flatMap((kind) => kind.guids.map((guid) => [guid, kind] as const)),
)

/** The enabled nodes that draw geometry in materials, such as a Custom Preview, in the order of the document. */
export const listPainters = (nodes: Readonly<Record<string, Node>>): Node[] =>
  Object.values(nodes).filter(({ templateId, status }) => status.isEnabled && BY_CLASS.has(templateId))

/**
 * The materials of previews of a document that is solved already: `Solution.materials` without solving it again, and
 * without the kinds that compute something. `solved` has the data of the ports that `painters` are wired to.
 * Fails: `SolveError` where the inputs are too large.
 */
export function paintPreviews(
  painters: readonly Node[],
  solved: ReadonlyMap<string, PortData>,
  decodeGeometry: DecodeGeometry,
): ReadonlyMap<Geometry | Opaque, Shader> {
  const materials = new Map<Geometry | Opaque, Shader>()
  const budget = createBudget({})
  const context = {
    solved,
    budget,
    tolerance: 0.001,
    angleTolerance: Math.PI / 180,
    decodeGeometry,
    materials,
  }
  for (const node of painters) {
    const kind = BY_CLASS.get(node.templateId)
    if (kind) solveComponent(prepareNode(node), kind, createMessageLog(node.instanceId), context)
  }
  return materials
}
