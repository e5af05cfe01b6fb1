import type { Kind } from '../declaration/define-kind.ts'
import { ARRAYS } from './arrays.ts'
import { COMBINING } from './combining.ts'
import { AFFINE, EUCLIDEAN } from './euclidean.ts'
import { MORPHS } from './morphs.ts'
import { DIRECTIONS, MOVES } from './moves.ts'

export const TRANSFORM_KINDS: readonly Kind[] = [
  ...EUCLIDEAN,
  ...MOVES,
  ...DIRECTIONS,
  ...AFFINE,
  ...ARRAYS,
  ...MORPHS,
  ...COMBINING,
]
