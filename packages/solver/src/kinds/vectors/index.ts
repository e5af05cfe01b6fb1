import type { Kind } from '../declaration/define-kind.ts'
import { DUPLICATES } from './duplicates.ts'
import { GRIDS, OTHER_GRIDS } from './grids.ts'
import { PLANE_CHANGES, PLANE_INTERSECTIONS, PLANES } from './planes.ts'
import { POINT_GROUPS } from './point-groups.ts'
import { ALONG_CURVE, CLOSENESS, POINT_LISTS } from './point-lists.ts'
import { POINTS } from './points.ts'
import { PROJECTIONS } from './projections.ts'
import { ANGLES, PRODUCTS, VECTORS } from './vectors.ts'

export const VECTOR_KINDS: readonly Kind[] = [
  ...POINTS,
  ...POINT_LISTS,
  ...CLOSENESS,
  ...ALONG_CURVE,
  ...POINT_GROUPS,
  ...DUPLICATES,
  ...VECTORS,
  ...PRODUCTS,
  ...ANGLES,
  ...PLANES,
  ...PLANE_CHANGES,
  ...PLANE_INTERSECTIONS,
  ...GRIDS,
  ...OTHER_GRIDS,
  ...PROJECTIONS,
]
