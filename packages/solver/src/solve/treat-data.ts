import type { Port } from '@meadow/contract'
import { convert, toValue } from '../conversions/convert.ts'
import { type PortType, TYPE_NAMES } from '../kinds/port-types.ts'
import { mapValues, type Tree } from '../tree/tree.ts'
import { reparameterise } from '../values/reparameterise.ts'
import { kindOf, type Value, type ValueKind } from '../values/value.ts'
import type { MessageBook } from './messages.ts'
import { createPortExpression } from './port-expression.ts'

/** Values as they flow along wires. */
export type Data = Tree<Value | null>

/**
 * What a port makes of the values that reach it: converted to its type, its expression applied, then its other
 * switches (rules F-2 to F-4). What cannot be converted becomes null, with a warning. Paths stay as they are.
 * With `keepsUnread`, geometry that nobody could read is passed on instead.
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
    treated = mapValues(treated, (value) => convertOne(run(value)))
  }
  const change = findChange(port, type)
  return change ? mapValues(treated, (value) => (value === null ? null : change(value))) : treated
}

function createConverter(
  type: PortType,
  messages: MessageBook,
  keepsUnread: boolean,
): (value: Value | null) => Value | null {
  return (value) => {
    if (value === null || (keepsUnread && isUnread(value))) return value
    const converted = convert(value, type)
    if (converted !== undefined) return toValue(converted, type)
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
