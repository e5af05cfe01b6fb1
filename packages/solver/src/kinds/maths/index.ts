import type { Kind } from '../define-kind.ts'
import { COMPARISONS } from './comparisons.ts'
import { DOMAINS } from './domains.ts'
import { FUNCTION_KINDS } from './functions.ts'
import { OPERATORS } from './operators.ts'

export const MATHS_KINDS: readonly Kind[] = [...OPERATORS, ...COMPARISONS, ...FUNCTION_KINDS, ...DOMAINS]
