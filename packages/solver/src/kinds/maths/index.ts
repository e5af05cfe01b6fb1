import type { Kind } from '../declaration/define-kind.ts'
import { COMPLEX, COMPLEX_FUNCTIONS } from './complex.ts'
import { DOMAINS, PLANE_DOMAINS } from './domains.ts'
import { FUNCTION_KINDS } from './functions.ts'
import { LIST_MATHS } from './list-maths.ts'
import { COMPARISONS, GATES } from './logic.ts'
import { MATRICES } from './matrices.ts'
import { POWERS, TRIGONOMETRY } from './number-functions.ts'
import { OPERATORS } from './operators.ts'
import { TIMES } from './time.ts'
import { TRIANGLE_SOLVERS } from './triangle-solver.ts'
import { TRIANGLE_CENTRES } from './triangles.ts'

export const MATHS_KINDS: readonly Kind[] = [
  ...OPERATORS,
  ...COMPARISONS,
  ...GATES,
  ...POWERS,
  ...TRIGONOMETRY,
  ...TRIANGLE_CENTRES,
  ...TRIANGLE_SOLVERS,
  ...FUNCTION_KINDS,
  ...LIST_MATHS,
  ...DOMAINS,
  ...PLANE_DOMAINS,
  ...MATRICES,
  ...COMPLEX,
  ...COMPLEX_FUNCTIONS,
  ...TIMES,
]
