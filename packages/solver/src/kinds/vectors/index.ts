import type { Kind } from '../define-kind.ts'
import { ANGLES } from './angles.ts'
import { CLOSENESS } from './closeness.ts'
import { GRIDS } from './grids.ts'
import { OTHER_GRIDS } from './other-grids.ts'
import { PLANE_CHANGES } from './plane-changes.ts'
import { PLANE_INTERSECTIONS } from './plane-intersections.ts'
import { PLANES } from './planes.ts'
import { POINT_LISTS } from './point-lists.ts'
import { POINTS } from './points.ts'
import { PRODUCTS } from './products.ts'
import { VECTORS } from './vectors.ts'

export const VECTOR_KINDS: readonly Kind[] = [
  ...POINTS,
  ...POINT_LISTS,
  ...CLOSENESS,
  ...VECTORS,
  ...PRODUCTS,
  ...ANGLES,
  ...PLANES,
  ...PLANE_CHANGES,
  ...PLANE_INTERSECTIONS,
  ...GRIDS,
  ...OTHER_GRIDS,
]
