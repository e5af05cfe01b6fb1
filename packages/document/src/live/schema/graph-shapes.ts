import { PORT_FLAGS, PORT_OPTIONS, WIRE_DISPLAYS } from '@meadow/contract/terms'
import { isColour, isDataTree, isGuid } from './data-tree-shape.ts'
import { isLargeValue } from './large-value.ts'
import { LIVE_LIMITS } from './limits.ts'
import {
  isFlag,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isRecordOf,
  isSetOf,
  isText,
  isWhole,
  type Shape,
} from './shape.ts'

export const PORT_ACCESS = ['item', 'list', 'tree'] as const

export const isId: Shape = (value) =>
  typeof value === 'string' && value.length <= LIVE_LIMITS.idLength && value.isWellFormed()

/** Whether every object has a member of this name. Documents may have such ids, and no edit adds one. */
export const isInherited = (id: string): boolean => id in Object.prototype

export const isPosition = isObject({ x: isNumber, y: isNumber })

const PORT_MEMBERS = {
  name: isText,
  nickName: isText,
  typeName: isText,
  access: isOneOf(...PORT_ACCESS),
  flags: isSetOf(isOneOf(...PORT_FLAGS)),
}
const PORT_EXTRAS = {
  expression: isText,
  options: isSetOf(isOneOf(...PORT_OPTIONS)),
  wireDisplay: isOneOf(...WIRE_DISPLAYS),
}

const isPort = isObject(PORT_MEMBERS, PORT_EXTRAS)
export const isOrderedPort = isObject(
  { side: isOneOf('input', 'output'), order: isNumber, ...PORT_MEMBERS },
  PORT_EXTRAS,
)
const isPortReference = isObject({ nodeInstanceId: isId, portInstanceId: isId })
const isOrders = isRecordOf(isId, isWhole)

/** A member of a node's state. */
export const isStateValue: Shape = (value) => isLargeValue(value) || isSafeJson(value)

/** Keys that would change a prototype, or pass for a reference, when an object is copied. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', '$blob'])

/** Any JSON that is not nested too deep and has no forbidden key. */
function isSafeJson(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === LIVE_LIMITS.depth) return false

  if (Array.isArray(value)) return value.every((item) => isSafeJson(item, depth + 1))
  return Object.entries(value).every(([key, item]) => !FORBIDDEN_KEYS.has(key) && isSafeJson(item, depth + 1))
}

/** The name of a member of a node's state. */
export const isStateName: Shape = (value) => isId(value) && !FORBIDDEN_KEYS.has(value as string)

/** A node of the contract by itself: the senders of its wires are not checked. */
export const isNode = isObject(
  {
    instanceId: isId,
    templateId: isGuid,
    name: isText,
    nickName: isText,
    position: isPosition,
    status: isObject({ isEnabled: isFlag, isPreviewed: isFlag }),
    inputs: isOrders,
    outputs: isOrders,
    sources: isRecordOf(isId, isListOf(isPortReference)),
    values: isRecordOf(isId, isDataTree),
    ports: isRecordOf(isId, isPort),
  },
  { display: isOneOf('name', 'icon'), state: isRecordOf(isStateName, isStateValue) },
)

export const isGroup = isObject({
  id: isId,
  label: isText,
  colour: isColour,
  nodeInstanceIds: isListOf(isId),
  groupIds: isListOf(isId),
})
