import type { Kind } from './define-kind.ts'
import type { ParameterKind } from './define-parameter.ts'

export type AnyKind = Kind | ParameterKind
