import type { PortType } from '../conversions/port-types.ts'
import type { Tree } from '../tree/tree.ts'
import type { Value } from '../values/value.ts'
import type { RunContext } from './define-kind.ts'

type Data = Tree<Value | null>

/** A kind of node that is one port: what reaches it is converted to its type and given on. */
export interface ParameterKind {
  readonly guids: readonly string[]
  readonly description: string
  readonly type: PortType
  /** Before conversion. */
  prepare?(data: Data, context: RunContext): Data
  /** After conversion, before the switches of the port. */
  change?(data: Data, context: RunContext): Data
}

export function defineParameter({
  guid,
  ...kind
}: Omit<ParameterKind, 'guids'> & { guid: string | readonly string[] }): ParameterKind {
  return { ...kind, guids: typeof guid === 'string' ? [guid] : guid }
}
