import type { Node } from '@meadow/contract'
import { BRANCH_BYTES, VALUE_BYTES } from '../budget/budget.ts'
import type { ParameterKind } from '../kinds/declaration/define-kind.ts'
import { countValues } from '../tree/tree.ts'
import { applyFlags } from './apply-flags.ts'
import { collectData } from './collect-data.ts'
import { listPorts } from './list-ports.ts'
import type { MessageBook } from './messages.ts'
import { createRunContext } from './run-context.ts'
import type { SolveContext } from './solve-context.ts'
import type { PortData } from './solve-node.ts'
import { refuseInvalid, treatValues } from './treat-data.ts'

/** Solves a node that is one parameter: what reaches its port, treated once, is what it holds and gives. */
export function solveParameter(
  node: Node,
  kind: ParameterKind,
  messages: MessageBook,
  solve: SolveContext,
): PortData {
  const [id] = [...listPorts(node.inputs), ...listPorts(node.outputs)]
  const port = node.ports[id ?? '']
  if (id === undefined || !port) return new Map()
  const collected = solve.given?.get(node.instanceId) ?? collectData(node, id, messages, solve)
  const context = createRunContext(node, messages, solve)
  const prepared = kind.prepare?.(collected, context) ?? collected
  const treated = treatValues(prepared, kind.type, port, messages, { keepsUnread: true })
  const { data, bytes } = refuseInvalid(kind.change?.(treated, context) ?? treated, 'warning', messages)
  const given = applyFlags(data, port.flags)
  // What a parameter with wires holds counts where it was made.
  const isGiven = Object.hasOwn(node.sources, id) || solve.given?.has(node.instanceId)
  const own = isGiven ? VALUE_BYTES * countValues(given) : bytes
  solve.budget.settle(own + BRANCH_BYTES * given.branches.length)
  return new Map([[id, given]])
}
