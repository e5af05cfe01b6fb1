import { COLOUR_KINDS } from './colours/index.ts'
import { CURVE_KINDS } from './curves/index.ts'
import type { AnyKind } from './declaration/define-kind.ts'
import { DISPLAY_KINDS } from './display/index.ts'
import { EARLIER_KINDS } from './earlier/index.ts'
import { MATHS_KINDS } from './maths/index.ts'
import { MESH_KINDS } from './meshes/index.ts'
import { CLUSTER_HOOKS, PARAMETER_KINDS } from './parameters/index.ts'
import { SET_KINDS } from './sets/index.ts'
import { SURFACE_KINDS } from './surfaces/index.ts'
import { TEXT_KINDS } from './text/index.ts'
import { TRANSFORM_KINDS } from './transforms/index.ts'
import { TREE_KINDS } from './trees/index.ts'
import { VECTOR_KINDS } from './vectors/index.ts'

/** Kinds of one topic. */
export interface Family {
  readonly name: string
  readonly kinds: readonly AnyKind[]
}

/** Versions of kinds that are solved, but no longer offered to users. */
export const EARLIER_FAMILY = 'Earlier versions'

/** All families. A new one is a folder and a line here. */
const FAMILIES: readonly Family[] = [
  { name: 'Parameters and inputs', kinds: PARAMETER_KINDS },
  { name: 'Maths', kinds: MATHS_KINDS },
  { name: 'Lists and sets', kinds: SET_KINDS },
  { name: 'Trees', kinds: TREE_KINDS },
  { name: 'Text', kinds: TEXT_KINDS },
  { name: 'Points, vectors and planes', kinds: VECTOR_KINDS },
  { name: 'Curves', kinds: CURVE_KINDS },
  { name: 'Surfaces and solids', kinds: SURFACE_KINDS },
  { name: 'Meshes', kinds: MESH_KINDS },
  { name: 'Transforms', kinds: TRANSFORM_KINDS },
  { name: 'Colours', kinds: COLOUR_KINDS },
  { name: 'Display', kinds: DISPLAY_KINDS },
  { name: EARLIER_FAMILY, kinds: EARLIER_KINDS },
]

const ALL: readonly AnyKind[] = FAMILIES.flatMap(({ kinds }) => kinds)

const BY_GUID: ReadonlyMap<string, AnyKind> = new Map(
  [...ALL, ...CLUSTER_HOOKS].flatMap((kind) => kind.guids.map((guid) => [guid, kind] as const)),
)

/** The kind of a component class; undefined for unsupported classes. */
export function findKind(guid: string): AnyKind | undefined {
  return BY_GUID.get(guid)
}

/** The kinds that users can place in documents. */
export function listKinds(): readonly AnyKind[] {
  return ALL
}

export function listFamilies(): readonly Family[] {
  return FAMILIES
}
