import type { AnyKind } from '../declaration/define-kind.ts'
import { BRANCHES } from './branches.ts'
import { PATH_MAPPER } from './path-mapper.ts'
import { PATHS, RELATIVE } from './paths.ts'
import { STRUCTURES } from './structures.ts'

export const TREE_KINDS: readonly AnyKind[] = [...STRUCTURES, ...BRANCHES, ...PATHS, ...RELATIVE, PATH_MAPPER]
