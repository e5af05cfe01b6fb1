import { getBrepArea } from './breps/brep-mass.ts'
import { isParallelogram } from './breps/face-integrals.ts'
import { getLength } from './curves/length.ts'
import { getMeshArea } from './meshes/mesh-mass.ts'
import { isCurve } from './values/curves.ts'
import type { Geometry } from './values/value.ts'

/** The area of more curved faces than this takes too long. */
const MAX_CURVED_FACES = 60

/** The length of a curve, or the area of a brep or mesh. Undefined for others, and where it takes too long. */
export function measureGeometry(geometry: Geometry): number | undefined {
  if (isCurve(geometry)) return getLength(geometry)
  if (geometry.type === 'mesh') return getMeshArea(geometry).size
  if (geometry.type !== 'brep') return undefined
  const curved = geometry.faces.filter(({ surface }) => !isParallelogram(surface))
  return curved.length > MAX_CURVED_FACES ? undefined : getBrepArea(geometry).size
}
