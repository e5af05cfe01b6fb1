import { PORT_FLAGS, type Port } from '@meadow/contract'
import { isDataTree } from '../shapes/data-tree-shape.ts'
import {
  isId,
  isPortAtPlace,
  isPosition,
  isStateName,
  isStateValue,
  PORT_ACCESS,
  PORT_OPTIONS,
} from '../shapes/node-shape.ts'
import { isFlag, isNumber, isOneOf, isText, type Shape } from '../shapes/shape.ts'
import type { Fact } from './fact.ts'

/** What stands for a fact that was taken away. */
const orNone =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value)

/** Everything about a node that can be edited, with the ids that its key has. */
export const NODE_FACTS = {
  position: { ids: [], value: isPosition, computes: false },
  nickName: { ids: [], value: isText, computes: false },
  isEnabled: { ids: [], value: isFlag, computes: true },
  isPreviewed: { ids: [], value: isFlag, computes: false },
  /** By what is kept. The look of a node is kept beside what is computed with: see `LOOKS`. */
  state: { ids: [isStateName], value: isStateValue, computes: true },
  /** By port. */
  value: { ids: [isId], value: orNone(isDataTree), computes: true },
  /** By the ends: input, sending node, its output. The value is the place among the wires of the input. */
  wire: { ids: [isId, isId, isId], value: orNone(isNumber), computes: true },
  /** By port: all of it, for ports that were added (or taken away) since the node was born. */
  port: { ids: [isId], value: orNone(isPortAtPlace), computes: true },
  'port.name': { ids: [isId], value: isText, computes: true },
  /** Expressions and scripts call their inputs by it. */
  'port.nickName': { ids: [isId], value: isText, computes: true },
  'port.typeName': { ids: [isId], value: isText, computes: true },
  'port.access': { ids: [isId], value: isOneOf(...PORT_ACCESS), computes: true },
  'port.expression': { ids: [isId], value: orNone(isText), computes: true },
  'port.flag': { ids: [isId, isOneOf(...PORT_FLAGS)], value: isFlag, computes: true },
  'port.option': { ids: [isId, isOneOf(...PORT_OPTIONS)], value: isFlag, computes: true },
} as const satisfies Record<string, Fact>

export type NodeFact = keyof typeof NODE_FACTS

/** What a node keeps of how it looks on the canvas: nothing is computed with it. */
export const LOOKS: ReadonlySet<string> = new Set([
  'size',
  'colour',
  'alignment',
  'wraps',
  'drawsIndices',
  'drawsPaths',
  'font',
  'fontSize',
  'isBold',
  'isItalic',
  'corners',
  'width',
  'lines',
])

/** A port with its place on the node: what the fact `port` holds. */
export type PortAtPlace = Port & {
  side: 'input' | 'output'
  /** Among the ports of its side; those that the node was born with have 0, 1, 2 … */
  order: number
}
