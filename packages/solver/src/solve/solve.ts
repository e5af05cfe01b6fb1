import type { GraphContent, Node } from '@meadow/contract'
import { findCanvasObject, findComponentName, findScript } from '@meadow/document'
import { findKind } from '../kinds/index.ts'
import { findLeftOut } from '../kinds/left-out.ts'
import { EMPTY_TREE } from '../tree/tree.ts'
import type { DecodeGeometry } from '../values/decode-value.ts'
import type { Colour, Geometry } from '../values/value.ts'
import { type BudgetOptions, createBudget } from './budget.ts'
import type { SolvedPorts } from './collect-data.ts'
import { createMessageBook, type MessageBook, type SolutionMessage } from './messages.ts'
import { orderNodes } from './order-nodes.ts'
import type { SolveContext } from './solve-context.ts'
import { SolveError } from './solve-error.ts'
import { nullOutputs, type PortData, solveNode } from './solve-node.ts'
import { solveParameter } from './solve-parameter.ts'

export interface SolveOptions extends BudgetOptions {
  /** Lengths below this are nothing, in the document's unit; 0.001 as Rhino has it. */
  tolerance?: number
  /** In radians; one degree as Rhino has it. */
  angleTolerance?: number
  /** Reads typed-in geometry; without it such values are passed on unread. */
  decodeGeometry?: DecodeGeometry
  /** Hears of each node before it is solved, so that the host knows where a solve is that it has to end. */
  onNode?: (node: Node) => void
}

export interface Solution {
  /** The data of each node's outputs, and of the one port of a parameter, by node id and port id. */
  ports: SolvedPorts
  /** What is drawn in a colour of its own: the very values that ports hold, as nodes of the kind Custom Preview got them. */
  colours: ReadonlyMap<Geometry, Colour>
  /** In the order in which the nodes were solved. */
  messages: SolutionMessage[]
  /** Wall clock by node id, in milliseconds. */
  durationsMs: ReadonlyMap<string, number>
}

/**
 * Solves a document: every node once, after all that feed it.
 * Lengths are in the document's unit, angles in radians. A node that fails does not stop the rest; it becomes a
 * message on that node, and its outputs null. A disabled node gives nothing.
 * Fails: `SolveError`: `document_cyclic` with the node ids; `deadline_exceeded`, `aborted`, `too_many_values` with
 * the node where it was.
 * Time and memory grow with nodes, wires and values, but where a kind itself does not.
 * Source: the semantics of Grasshopper 1, rule by rule in SPEC.md.
 */
export function solve(document: GraphContent, options: SolveOptions = {}): Solution {
  const solved = new Map<string, PortData>()
  const durationsMs = new Map<string, number>()
  const messages: SolutionMessage[] = []
  const colours = new Map<Geometry, Colour>()
  const { tolerance = 0.001, angleTolerance = Math.PI / 180, decodeGeometry, onNode } = options
  const context: SolveContext = {
    solved,
    budget: createBudget(options),
    tolerance,
    angleTolerance,
    colours,
    ...(decodeGeometry ? { decodeGeometry } : {}),
  }
  for (const node of orderNodes(document)) {
    onNode?.(node)
    const start = performance.now()
    const book = createMessageBook(node.instanceId)
    solved.set(node.instanceId, solveLocated(node, book, context))
    durationsMs.set(node.instanceId, performance.now() - start)
    for (const message of book.list()) messages.push(message)
  }
  return { ports: solved, colours, messages, durationsMs }
}

/** A solve that has to end tells at which node it was. */
function solveLocated(node: Node, messages: MessageBook, context: SolveContext): PortData {
  try {
    return solveAnyNode(node, messages, context)
  } catch (error) {
    throw error instanceof SolveError ? new SolveError(error.code, [node.instanceId]) : error
  }
}

function solveAnyNode(node: Node, messages: MessageBook, context: SolveContext): PortData {
  context.budget.reserve()
  if (!node.status.isEnabled) return new Map(Object.keys(node.outputs).map((id) => [id, EMPTY_TREE]))
  const kind = findKind(node.templateId)
  if (!kind) {
    const reason = findReason(node)
    if (reason) messages.add('error', reason)
    return nullOutputs(node)
  }
  try {
    return 'type' in kind
      ? solveParameter(node, kind, messages, context)
      : solveNode(node, kind, messages, context)
  } catch (error) {
    if (error instanceof SolveError) throw error
    messages.add('error', `Solution exception: ${error instanceof Error ? error.message : String(error)}`)
    return nullOutputs(node)
  }
}

/** Why a node is not solved; undefined for what only decorates the canvas. */
function findReason({ templateId, name, inputs, outputs, state }: Node): string | undefined {
  if (Object.keys(inputs).length + Object.keys(outputs).length === 0) return undefined
  if (findScript(templateId) || state?.kind === 'script') return 'Scripts are not run'
  const leftOut = findLeftOut(templateId)
  if (leftOut) return `${leftOut.name} is not supported: ${leftOut.reason}`
  const known = findComponentName(templateId) ?? findCanvasObject(templateId)?.name
  return `${known ?? (name || 'This component')} is not supported`
}
