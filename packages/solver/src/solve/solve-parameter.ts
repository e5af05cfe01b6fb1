import type { Node } from '@meadow/contract'
import type { ParameterKind } from '../kinds/define-parameter.ts'
import { applyFlags } from './apply-flags.ts'
import { collectData } from './collect-data.ts'
import { listPorts } from './list-ports.ts'
import type { MessageBook } from './messages.ts'
import { createRunContext } from './run-context.ts'
import type { SolveContext } from './solve-context.ts'
import type { PortData } from './solve-node.ts'
import { treatValues } from './treat-data.ts'

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
  const collected =
    solve.given?.get(node.instanceId) ??
    collectData(node, id, solve.solved, solve.budget, solve.decodeGeometry)
  const context = createRunContext(node, messages, solve)
  const prepared = kind.prepare?.(collected, context) ?? collected
  const treated = treatValues(prepared, kind.type, port, messages, { keepsUnread: true })
  return new Map([[id, applyFlags(kind.change?.(treated, context) ?? treated, port.flags)]])
}
