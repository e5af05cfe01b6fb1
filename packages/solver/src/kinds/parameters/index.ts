import type { AnyKind } from '../any-kind.ts'
import { FLOATING_PARAMETERS } from './floating-parameters.ts'
import { INPUT_OBJECTS } from './input-objects.ts'
import { PASSING_OBJECTS } from './passing-objects.ts'
import { RESULTS } from './results.ts'

export const PARAMETER_KINDS: readonly AnyKind[] = [
  ...FLOATING_PARAMETERS,
  ...INPUT_OBJECTS,
  ...PASSING_OBJECTS,
  ...RESULTS,
]
