import type { Kind } from '../define-kind.ts'
import { AFFINE } from './affine.ts'
import { ARRAYS } from './arrays.ts'
import { COMBINING } from './combining.ts'
import { EUCLIDEAN } from './euclidean.ts'

export const TRANSFORM_KINDS: readonly Kind[] = [...EUCLIDEAN, ...AFFINE, ...ARRAYS, ...COMBINING]
