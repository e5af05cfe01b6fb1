import type { Node } from '@meadow/contract'
import type { RunContext } from '../kinds/declaration/define-kind.ts'
import { isGeometry } from '../values/is-geometry.ts'
import { listPorts } from './list-ports.ts'
import type { MessageBook } from './messages.ts'
import type { SolveContext } from './solve-context.ts'

/** What a kind may ask for and tell while it runs for a node. */
export function createRunContext(
  node: Node,
  messages: MessageBook,
  { budget, tolerance, angleTolerance, colours }: SolveContext,
): RunContext {
  const nickNames = (order: Node['inputs']) => listPorts(order).map((id) => node.ports[id]?.nickName ?? '')
  return {
    node,
    tolerance,
    angleTolerance,
    inputNames: nickNames(node.inputs),
    outputNames: nickNames(node.outputs),
    error: (message) => messages.add('error', message),
    warn: (message) => messages.add('warning', message),
    remark: (message) => messages.add('remark', message),
    reserve: budget.reserve,
    paint(value, colour) {
      if (isGeometry(value)) colours?.set(value, colour)
    },
  }
}
