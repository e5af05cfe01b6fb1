import type { Port } from '@meadow/contract'
import { PORT_FLAGS, PORT_OPTIONS, WIRE_DISPLAYS } from '@meadow/contract/terms'
import { isDataTree } from './data-tree-shape.ts'
import { isId, isOrderedPort, isPosition, isStateName, isStateValue, PORT_ACCESS } from './graph-shapes.ts'
import type { Property } from './property.ts'
import { isFlag, isNumber, isOneOf, isText, type Shape } from './shape.ts'

/** A removed property is null. */
const orNone =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value)

/** The editable properties of a node, each with the ids in its key. */
export const NODE_PROPERTIES = {
  position: { ids: [], value: isPosition, computes: false },
  nickName: { ids: [], value: isText, computes: false },
  isEnabled: { ids: [], value: isFlag, computes: true },
  isPreviewed: { ids: [], value: isFlag, computes: false },
  /** A member of the state. Some members are only appearance: see `APPEARANCE`. */
  state: { ids: [isStateName], value: isStateValue, computes: true },
  /** The values of a port. */
  value: { ids: [isId], value: orNone(isDataTree), computes: true },
  /** A wire, by input, sending node and its output. The value is the position among the wires of the input. */
  wire: { ids: [isId, isId, isId], value: orNone(isNumber), computes: true },
  /** A whole port that was added or removed after the node was created. */
  port: { ids: [isId], value: orNone(isOrderedPort), computes: true },
  'port.name': { ids: [isId], value: isText, computes: true },
  /** Expressions and scripts refer to their inputs by nickname. */
  'port.nickName': { ids: [isId], value: isText, computes: true },
  'port.typeName': { ids: [isId], value: isText, computes: true },
  'port.access': { ids: [isId], value: isOneOf(...PORT_ACCESS), computes: true },
  'port.expression': { ids: [isId], value: orNone(isText), computes: true },
  'port.flag': { ids: [isId, isOneOf(...PORT_FLAGS)], value: isFlag, computes: true },
  /** Some options are only appearance: see `PORT_APPEARANCE`. */
  'port.option': { ids: [isId, isOneOf(...PORT_OPTIONS)], value: isFlag, computes: true },
  'port.wireDisplay': { ids: [isId], value: orNone(isOneOf(...WIRE_DISPLAYS)), computes: false },
} as const satisfies Record<string, Property>

export type NodePropertyName = keyof typeof NODE_PROPERTIES

/** A port with its side and position: the value of the property `port`. */
export type OrderedPort = Port & {
  side: 'input' | 'output'
  /** Position among the ports of its side; those of the creation record have 0, 1, 2 … */
  order: number
}
