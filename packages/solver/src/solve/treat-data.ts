import type { Port } from '@meadow/contract'
import { VALUE_BYTES } from '../budget/budget.ts'
import { convert, toValue } from '../conversions/convert.ts'
import { type PortType, TYPE_NAMES } from '../conversions/port-types.ts'
import { mapValues, type Tree } from '../tree/tree.ts'
import { measureValue } from '../values/measure-value.ts'
import { reparameterise } from '../values/reparameterise.ts'
import { kindOf, type Value, type ValueKind } from '../values/value.ts'
import type { MessageBook, SolutionMessage } from './messages.ts'
import { createPortExpression } from './port-expression.ts'

/** Values as they flow along wires. */
export type Data = Tree<Value | null>

/**
 * What a port makes of the values that reach it: converted to its type, its expression applied, then its other
 * switches (rules F-2 to F-4, F-8). What cannot be converted or is not valid then becomes null, with a warning.
 * Paths stay as they are. With `keepsUnread`, geometry that nobody could read is passed on instead.
 */
export function treatValues(
  data: Data,
  type: PortType,
  port: Port,
  messages: MessageBook,
  { keepsUnread = false } = {},
): Data {
  const convertOne = createConverter(type, messages, keepsUnread)
  let treated = type === 'any' ? data : mapValues(data, convertOne)
  if (port.expression) {
    const run = createPortExpression(port.expression, (message) => messages.add('error', message))
    treated = refuseInvalid(
      mapValues(treated, (value) => convertOne(run(value))),
      'warning',
      messages,
    ).data
  }
  const change = findChange(port, type)
  if (!change) return treated
  return refuseInvalid(
    mapValues(treated, (value) => (value === null ? null : change(value))),
    'warning',
    messages,
  ).data
}

/**
 * Replaces geometry, vectors and transformations with a coordinate that is not a finite number by null, and says so
 * once for each type (rule F-8). `bytes` is the memory of the values, as estimated, without that of the branches.
 */
export function refuseInvalid(
  data: Data,
  level: SolutionMessage['level'],
  messages: MessageBook,
): { data: Data; bytes: number } {
  let bytes = 0
  let isValid = true
  for (const { values } of data.branches) {
    bytes += VALUE_BYTES * values.length
    for (const value of values) {
      // Most values by far: numbers, whole numbers and texts, which are always valid.
      if (typeof value !== 'object' || value === null || value.type === 'integer') continue
      const own = measureValue(value)
      if (own === undefined) isValid = false
      else bytes += own
    }
  }
  if (isValid) return { data, bytes }
  return { data: mapValues(data, (value) => refuseValue(value, level, messages)), bytes }
}

function refuseValue(
  value: Value | null,
  level: SolutionMessage['level'],
  messages: MessageBook,
): Value | null {
  if (value === null || measureValue(value) !== undefined) return value
  messages.add(level, `${nameKind(value)} is invalid: a coordinate is not a finite number`)
  return null
}

function createConverter(
  type: PortType,
  messages: MessageBook,
  keepsUnread: boolean,
): (value: Value | null) => Value | null {
  return (value) => {
    if (value === null || (keepsUnread && isUnread(value))) return value
    const converted = convert(value, type)
    if (converted === value) return value
    if (converted !== undefined) return refuseValue(toValue(converted, type), 'warning', messages)
    messages.add('warning', `Data conversion failed from ${nameKind(value)} to ${TYPE_NAMES[type]}`)
    return null
  }
}

function isUnread(value: Value): boolean {
  return kindOf(value) === 'opaque'
}

const KIND_NAMES: Readonly<Partial<Record<ValueKind, string>>> = {
  polyline: 'Curve',
  nurbsCurve: 'Curve',
  polyCurve: 'Curve',
  nurbsSurface: 'Surface',
  opaque: 'Data',
}

function nameKind(value: Value): string {
  const kind = kindOf(value)
  return KIND_NAMES[kind] ?? TYPE_NAMES[kind as PortType]
}

/** Degrees are turned into radians, truth values around, curves and surfaces are given the parameters 0 to 1. */
function findChange({ options = [] }: Port, type: PortType): ((value: Value) => Value) | undefined {
  if (options.includes('degrees') && type === 'number') return (value) => ((value as number) * Math.PI) / 180
  if (options.includes('invert') && type === 'boolean') return (value) => !value
  return options.includes('reparameterize') ? reparameterise : undefined
}
