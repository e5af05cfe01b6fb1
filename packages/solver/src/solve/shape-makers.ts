import { meshBrep } from '@meadow/geometry/meshing/mesh-brep'
import { createPlanarBreps } from '@meadow/geometry/regions/planar-breps'
import type { ShapeMakers } from '../conversions/convert.ts'

export function createShapeMakers(tolerance: number): ShapeMakers {
  return { meshBrep, fillOutline: (outline) => createPlanarBreps([outline], tolerance).breps[0] }
}
