import type { Kind } from '../declaration/define-kind.ts'
import { MESH_FACES, MESH_POINTS } from './analysis.ts'
import { MESH_BOOLEANS } from './booleans.ts'
import { MESH_CONSTRUCTION, MESH_PRIMITIVES, MESH_TRIANGULATION } from './construct.ts'
import { MESH_EDITING } from './edit.ts'
import { MESH_SETTINGS, MESH_SOLIDS, MESHES_OF_BREPS } from './from-breps.ts'
import { MESH_INTERSECTIONS } from './intersections.ts'
import { POINT_DIAGRAMS, POINT_SOLIDS } from './point-diagrams.ts'
import { PROXIMITY } from './proximity.ts'

export const MESH_KINDS: readonly Kind[] = [
  ...MESH_FACES,
  ...MESH_CONSTRUCTION,
  ...MESH_PRIMITIVES,
  ...MESH_EDITING,
  ...MESH_POINTS,
  ...MESH_TRIANGULATION,
  ...POINT_DIAGRAMS,
  ...POINT_SOLIDS,
  ...MESH_INTERSECTIONS,
  ...MESH_BOOLEANS,
  ...MESH_SOLIDS,
  ...MESHES_OF_BREPS,
  ...MESH_SETTINGS,
  ...PROXIMITY,
]
