import type { GraphContent, Node } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { type BudgetOptions, createBudget, runWithin } from '../budget/budget.ts'
import type { DecodeGeometry } from '../values/decode-value.ts'
import type { Colour, Geometry } from '../values/value.ts'
import type { SolvedPorts } from './collect-data.ts'
import type { SolutionMessage } from './messages.ts'
import { solveGraph } from './solve-graph.ts'

export interface SolveOptions extends BudgetOptions {
  /** Lengths below this are nothing, in the document's unit; 0.001 as Rhino has it. */
  tolerance?: number
  /** In radians; one degree as Rhino has it. */
  angleTolerance?: number
  /** Reads typed-in geometry; without it such values are passed on unread. */
  decodeGeometry?: DecodeGeometry
  /** What is inside the clusters of the document; one that is not told of gets an error. */
  insides?: ClusterContents
  /** Hears of each node of the document before it is solved, so that the host knows where a solve is that it has to end. */
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
 * Fails: `SolveError`: `document_cyclic` with the node ids; `deadline_exceeded`, `aborted`, `too_many_values`,
 * `too_much_memory` with the node where it was.
 * Time and memory grow with nodes, wires and values, but where a kind itself does not.
 * Source: the semantics of Grasshopper 1, rule by rule in SPEC.md.
 */
export function solve(document: GraphContent, options: SolveOptions = {}): Solution {
  const colours = new Map<Geometry, Colour>()
  const { tolerance = 0.001, angleTolerance = Math.PI / 180, decodeGeometry, insides, onNode } = options
  const budget = createBudget(options)
  const terms = {
    budget,
    tolerance,
    angleTolerance,
    colours,
    ...(decodeGeometry ? { decodeGeometry } : {}),
    ...(insides ? { insides } : {}),
  }
  return { ...runWithin(budget, () => solveGraph(document, terms, onNode)), colours }
}
