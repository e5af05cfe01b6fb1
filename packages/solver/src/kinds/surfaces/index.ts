import type { Kind } from '../define-kind.ts'
import { BOUNDING_BOX } from './bounding-box.ts'
import { BOXES } from './boxes.ts'
import { CLOSEST_PLACES } from './closest.ts'
import { SURFACE_EVALUATION } from './evaluate.ts'
import { EXTRUSIONS } from './extrude.ts'
import { CONTROL_GRIDS } from './grids.ts'
import { BREP_JOINING } from './join.ts'
import { LOFTS } from './loft.ts'
import { MASS_PROPERTIES } from './mass.ts'
import { SURFACE_PARTS } from './parts.ts'
import { PIPES } from './pipe.ts'
import { PLANAR_SURFACES } from './planar.ts'
import { SURFACE_PRIMITIVES } from './primitives.ts'
import { SWEEPS } from './sweeps.ts'

export const SURFACE_KINDS: readonly Kind[] = [
  ...SURFACE_PRIMITIVES,
  ...BOXES,
  ...BOUNDING_BOX,
  ...PLANAR_SURFACES,
  ...EXTRUSIONS,
  ...CONTROL_GRIDS,
  ...LOFTS,
  ...PIPES,
  ...SWEEPS,
  ...BREP_JOINING,
  ...SURFACE_EVALUATION,
  ...CLOSEST_PLACES,
  ...SURFACE_PARTS,
  ...MASS_PROPERTIES,
]
