import type { Kind } from '../define-kind.ts'
import { MESH_CONSTRUCTION } from './construct.ts'
import { MESH_EDITING } from './edit.ts'
import { MESH_FACES } from './faces.ts'
import { MESH_PLACES } from './places.ts'
import { MESH_PRIMITIVES } from './primitives.ts'
import { MESH_TRIANGULATION } from './triangulation.ts'

export const MESH_KINDS: readonly Kind[] = [
  ...MESH_FACES,
  ...MESH_CONSTRUCTION,
  ...MESH_PRIMITIVES,
  ...MESH_EDITING,
  ...MESH_PLACES,
  ...MESH_TRIANGULATION,
]
