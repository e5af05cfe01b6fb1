import type { AnyKind } from '../any-kind.ts'
import { BRANCHES } from './branches.ts'
import { PATH_MAPPER } from './path-mapper.ts'
import { PATHS } from './paths.ts'
import { RELATIVE } from './relative.ts'
import { STRUCTURES } from './structures.ts'

export const TREE_KINDS: readonly AnyKind[] = [...STRUCTURES, ...BRANCHES, ...PATHS, ...RELATIVE, PATH_MAPPER]
