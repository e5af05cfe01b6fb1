import type { Kind } from '../define-kind.ts'
import { COMPARISONS } from './comparisons.ts'
import { DOMAINS } from './domains.ts'
import { FUNCTION_KINDS } from './functions.ts'
import { GATES } from './gates.ts'
import { LIST_MATHS } from './list-maths.ts'
import { OPERATORS } from './operators.ts'
import { PLANE_DOMAINS } from './plane-domains.ts'
import { POWERS } from './powers.ts'
import { TRIGONOMETRY } from './trigonometry.ts'

export const MATHS_KINDS: readonly Kind[] = [
  ...OPERATORS,
  ...COMPARISONS,
  ...GATES,
  ...POWERS,
  ...TRIGONOMETRY,
  ...FUNCTION_KINDS,
  ...LIST_MATHS,
  ...DOMAINS,
  ...PLANE_DOMAINS,
]
