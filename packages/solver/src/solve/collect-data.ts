import type { DataTree, Node } from '@meadow/contract'
import { findPath } from '@meadow/document'
import { merge } from '../tree/structure.ts'
import { countWork, createTree, EMPTY_TREE } from '../tree/tree.ts'
import { type DecodeGeometry, decodeValue } from '../values/decode-value.ts'
import type { MessageBook } from './messages.ts'
import type { SolveContext } from './solve-context.ts'
import { type Data, refuseInvalid } from './treat-data.ts'

/** What the ports of solved nodes hold. */
export type SolvedPorts = ReadonlyMap<string, ReadonlyMap<string, Data>>

/**
 * What reaches an input: the data of its wires in wire order, branch by branch; without wires what was typed in.
 * A port with wires ignores what was typed in, whatever comes along them. What was typed in and is not valid becomes
 * null, with a warning (rule F-8).
 */
export function collectData(
  node: Node,
  portId: string,
  messages: MessageBook,
  { solved, budget, decodeGeometry }: Pick<SolveContext, 'solved' | 'budget' | 'decodeGeometry'>,
): Data {
  const wires = node.sources[portId] ?? []
  if (wires.length === 0) {
    return refuseInvalid(readTypedIn(node.values[portId], decodeGeometry), 'warning', messages).data
  }
  const trees = wires.map((wire) => solved.get(wire.nodeInstanceId)?.get(wire.portInstanceId) ?? EMPTY_TREE)
  for (const tree of trees) budget.reserve(countWork(tree))
  return merge(trees)
}

function readTypedIn(tree: DataTree | undefined, decodeGeometry?: DecodeGeometry): Data {
  if (!tree) return EMPTY_TREE
  return createTree(
    tree.branches.map(({ path, values }) => ({
      path: findPath(path) ?? [0],
      values: values.map((value) => decodeValue(value, decodeGeometry)),
    })),
  )
}
