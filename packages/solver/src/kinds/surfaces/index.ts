import type { Kind } from '../declaration/define-kind.ts'
import { BOUNDING_BOX, BOXES } from './boxes.ts'
import { BREP_EDGES } from './brep-edges.ts'
import { COLLISIONS } from './collisions.ts'
import { SURFACE_CURVATURE } from './curvature.ts'
import { CURVE_CONTOURS } from './curve-contours.ts'
import { CURVE_HITS } from './curve-hits.ts'
import { CURVE_PROJECTION } from './curve-projection.ts'
import { EDGE_SURFACES } from './edge-surfaces.ts'
import { CLOSEST_POINTS, SURFACE_EVALUATION } from './evaluate.ts'
import { EXTRUSIONS, LOFTS, PIPES, PLANAR_SURFACES, SECTION_SWEEPS, SWEEPS } from './freeform.ts'
import { BREP_INCLUSION, BREP_LINES } from './inclusion.ts'
import { MASS_PROPERTIES } from './mass.ts'
import { MOMENTS } from './moments.ts'
import { BREP_JOINING, SURFACE_PARTS } from './parts.ts'
import { CONTROL_GRIDS, SURFACE_PRIMITIVES } from './primitives.ts'
import { SECTIONS } from './sections.ts'
import { OTHER_SURFACES } from './shapes.ts'
import { SIGHT } from './sight.ts'
import { SOLID_BOOLEANS } from './solids.ts'

export const SURFACE_KINDS: readonly Kind[] = [
  ...SURFACE_PRIMITIVES,
  ...BOXES,
  ...BOUNDING_BOX,
  ...PLANAR_SURFACES,
  ...EDGE_SURFACES,
  ...EXTRUSIONS,
  ...CONTROL_GRIDS,
  ...LOFTS,
  ...PIPES,
  ...SWEEPS,
  ...SECTION_SWEEPS,
  ...BREP_JOINING,
  ...SOLID_BOOLEANS,
  ...SURFACE_EVALUATION,
  ...CLOSEST_POINTS,
  ...SURFACE_PARTS,
  ...SECTIONS,
  ...CURVE_CONTOURS,
  ...BREP_INCLUSION,
  ...BREP_LINES,
  ...COLLISIONS,
  ...MASS_PROPERTIES,
  ...MOMENTS,
  ...SURFACE_CURVATURE,
  ...OTHER_SURFACES,
  ...CURVE_PROJECTION,
  ...BREP_EDGES,
  ...CURVE_HITS,
  ...SIGHT,
]
