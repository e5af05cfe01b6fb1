import type { AnyKind } from './any-kind.ts'
import { COLOUR_KINDS } from './colours/index.ts'
import { CURVE_KINDS } from './curves/index.ts'
import { DISPLAY_KINDS } from './display/index.ts'
import { MATHS_KINDS } from './maths/index.ts'
import { MESH_KINDS } from './meshes/index.ts'
import { PARAMETER_KINDS } from './parameters/index.ts'
import { SET_KINDS } from './sets/index.ts'
import { SURFACE_KINDS } from './surfaces/index.ts'
import { TEXT_KINDS } from './text/index.ts'
import { TRANSFORM_KINDS } from './transforms/index.ts'
import { TREE_KINDS } from './trees/index.ts'
import { VECTOR_KINDS } from './vectors/index.ts'

/** Every family; a new one is a folder and a line here. */
const ALL: readonly AnyKind[] = [
  ...PARAMETER_KINDS,
  ...MATHS_KINDS,
  ...SET_KINDS,
  ...TREE_KINDS,
  ...TEXT_KINDS,
  ...VECTOR_KINDS,
  ...CURVE_KINDS,
  ...SURFACE_KINDS,
  ...MESH_KINDS,
  ...TRANSFORM_KINDS,
  ...COLOUR_KINDS,
  ...DISPLAY_KINDS,
]

const BY_GUID: ReadonlyMap<string, AnyKind> = new Map(
  ALL.flatMap((kind) => kind.guids.map((guid) => [guid, kind] as const)),
)

/** The kind of a component's class; undefined for what the solver does not know. */
export function findKind(guid: string): AnyKind | undefined {
  return BY_GUID.get(guid)
}

export function listKinds(): readonly AnyKind[] {
  return ALL
}
