import type { DataTree, DataValue, Node, Port } from '@meadow/contract'
import { findPath } from '@meadow/document'
import { BRANCH_BYTES, reserveValues, VALUE_BYTES } from '@meadow/geometry/budget/budget'
import { isCurve } from '@meadow/geometry/values/curves'
import { type DecodeGeometry, decodeValue } from '@meadow/geometry/values/decode-value'
import { formatValue } from '@meadow/geometry/values/format-value'
import { describeFlaw } from '@meadow/geometry/values/is-consistent'
import { measureValue } from '@meadow/geometry/values/measure-value'
import { reparameterise } from '@meadow/geometry/values/reparameterise'
import { kindOf, type Opaque, type Value, type ValueKind } from '@meadow/geometry/values/value'
import { findFailure } from '../conversions/conversions.ts'
import { convert, OTHER_MESH, type ShapeMakers, toValue } from '../conversions/convert.ts'
import { type PortType, TYPE_NAMES } from '../conversions/port-types.ts'
import { compile } from '../expressions/compile.ts'
import { reportExpression } from '../expressions/expression-error.ts'
import type { Operand } from '../expressions/operators.ts'
import { flatten, graft, merge, reverse, simplify } from '../tree/structure.ts'
import { countValues, countWork, createTree, EMPTY_TREE, mapValues, type Tree } from '../tree/tree.ts'
import type { MessageLog, SolutionMessage } from './messages.ts'
import type { Data, ReportReference, SolveContext } from './solve-context.ts'

/*
 * The processing of the data of a port, in this order: `collectData`, `processValues`, `applyFlags` (rules F-1 to F-4, F-8).
 */

/**
 * The data that reaches an input: that of its wires, merged branch by branch in wire order; without wires, the
 * literals of the port. A port with wires ignores its literals, even when no data comes along the wires. Invalid
 * literals become null, with a warning (rule F-8).
 */
export function collectData(
  node: Node,
  portId: string,
  log: MessageLog,
  {
    solved,
    budget,
    decodeGeometry,
    reportReference,
  }: Pick<SolveContext, 'solved' | 'budget' | 'decodeGeometry' | 'reportReference'>,
): Data {
  const wires = node.sources[portId] ?? []
  if (wires.length === 0) {
    const literals = readLiterals(node.values[portId], decodeGeometry)
    reportReferences(node.values[portId], literals, log, reportReference)
    return replaceInvalid(literals, 'warning', log).data
  }
  const trees = wires.map((wire) => solved.get(wire.nodeInstanceId)?.get(wire.portInstanceId) ?? EMPTY_TREE)
  for (const tree of trees) budget.reserve(countWork(tree))
  return merge(trees)
}

function readLiterals(tree: DataTree | undefined, decodeGeometry?: DecodeGeometry): Data {
  if (!tree) return EMPTY_TREE
  return createTree(
    tree.branches.map(({ path, values }) => ({
      path: findPath(path) ?? [0],
      values: values.map((value) => decodeValue(value, decodeGeometry)),
    })),
  )
}

/** Reports objects of a Rhino model that the document only refers to. */
function reportReferences(
  tree: DataTree | undefined,
  literals: Data,
  log: MessageLog,
  report?: ReportReference,
): void {
  for (const { values } of tree?.branches ?? []) {
    for (const wire of values) {
      const told = wire?.referenceId === undefined ? undefined : report?.(wire)
      if (told) log.add(told.level, told.message, told.code)
    }
  }
  let references = 0
  for (const { values } of literals.branches) {
    for (const value of values)
      if (isOpaque(value) && isElsewhere(value.wire) && !report?.(value.wire)) references++
  }
  if (references === 0) return
  const [subject, verb] =
    references === 1 ? ['The referenced object', 'is'] : [`${references} referenced objects`, 'are']
  log.add('error', `${subject} ${verb} in a Rhino model, which this document does not contain`, 'limit')
}

const isElsewhere = ({ referenceId, geometry }: DataValue) => referenceId !== undefined && !geometry

/** Geometry of a type that Meadow does not decode, such as a hatch or a SubD (rule C-12). */
export function isOpaque(value: unknown): value is Opaque {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'opaque'
}

/** The first value of a tree that was not decoded. */
export function findOpaque(tree: Tree<unknown>): Opaque | undefined {
  for (const { values } of tree.branches) {
    for (const value of values) if (isOpaque(value)) return value
  }
  return undefined
}

/** The message of a node that would have to compute with a value that was not decoded. */
export function describeUnreadable(value: Opaque): string {
  return `Meadow keeps and exports this value, but does not compute with it: ${formatValue(value)}`
}

const PLAIN_TYPES: ReadonlySet<PortType> = new Set<PortType>([
  'boolean',
  'integer',
  'number',
  'text',
  'colour',
  'domain',
  'domain2',
  'path',
  'vector',
])

/** Whether a parameter of this type passes undecoded geometry on. */
export function mayHoldOpaque(type: PortType): boolean {
  return !PLAIN_TYPES.has(type)
}

/**
 * Converts values to the type of the port, then applies the port's expression, then its options for values
 * (rules F-2 to F-4, F-8). A value that cannot be converted, or is invalid afterwards, becomes null, with a warning.
 * Paths do not change. With `passesOpaque`, geometry that was not decoded is passed on unchanged.
 */
export function processValues(
  data: Data,
  type: PortType,
  port: Port,
  log: MessageLog,
  { passesOpaque = false, makers }: { passesOpaque?: boolean; makers?: ShapeMakers | undefined } = {},
): Data {
  const convertOne = createConverter(type, log, passesOpaque, makers)
  let processed = type === 'any' ? data : mapValues(data, convertOne)
  if (port.expression) {
    const evaluate = createPortExpression(port.expression, log)
    const results = mapValues(processed, (value) => convertOne(evaluate(value)))
    reportNonFinite([processed], [results], log)
    processed = replaceInvalid(results, 'warning', log).data
  }
  const change = findValueOption(port, type)
  if (!change) return processed
  const changed = mapValues(processed, (value) => (value === null ? null : change(value)))
  return replaceInvalid(changed, 'warning', log).data
}

function createConverter(
  type: PortType,
  log: MessageLog,
  passesOpaque: boolean,
  makers: ShapeMakers | undefined,
): (value: Value | null) => Value | null {
  return (value) => {
    if (value === null || (passesOpaque && isOpaque(value))) return value
    if (isOpaque(value) && type !== 'opaque') {
      log.add('error', describeUnreadable(value), 'limit')
      return null
    }
    const converted = convert(value, type, makers)
    if (converted === value) return value
    if (type === 'curve' && converted !== undefined && !isCurve(value))
      log.add('remark', OUTLINE, 'approximate')
    if (type === 'mesh' && converted !== undefined) log.add('remark', OTHER_MESH, 'approximate')
    if (type === 'number' && kindOf(value) === 'vector') log.add('remark', LENGTH, 'approximate')
    if (
      (type === 'brep' || type === 'surface') &&
      converted !== undefined &&
      (isCurve(value) || (type === 'surface' && kindOf(value) === 'box'))
    )
      log.add('remark', FILLED, 'approximate')
    if (converted !== undefined) return replaceInvalidValue(toValue(converted, type), 'warning', log)
    const [from, to] = [nameType(value), TYPE_NAMES[type]]
    if (findFailure(value, type)) log.add('warning', `Data conversion failed from ${from} to ${to}`, 'failed')
    else log.add('error', `Converting ${from} to ${to} is not supported`, 'limit')
    return null
  }
}

const OUTLINE = 'The outline of a surface may start elsewhere than in Rhino'
const LENGTH = 'The number of a vector is its length, as definitions use it; no page of Grasshopper says so'
const FILLED =
  'The face inside a curve or a flat box is right, but its edges and parameters may start elsewhere than in Rhino'

/** Applies the expression of a port to a value, its variable x. The result is null, with a report, on failure. */
function createPortExpression(expression: string, log: MessageLog): (value: Operand) => Operand {
  const report = {
    error: (message: string) => log.add('error', `Expression: ${message}`),
    limit: (message: string) => log.add('error', `Expression: ${message}`, 'limit'),
  }
  const tryRun = <T>(action: () => T): T | undefined => {
    try {
      return action()
    } catch (error) {
      reportExpression(error, report)
      return undefined
    }
  }
  const evaluate = tryRun(() => compile(expression, ['x']))
  if (!evaluate) return () => null
  return (value) => (value === null ? null : (tryRun(() => evaluate([value])) ?? null))
}

/** Converts degrees to radians, inverts booleans, or sets the domain of curves and surfaces to 0 to 1. */
function findValueOption({ options = [] }: Port, type: PortType): ((value: Value) => Value) | undefined {
  if (options.includes('degrees') && type === 'number') return (value) => ((value as number) * Math.PI) / 180
  if (options.includes('invert') && type === 'boolean') return (value) => !value
  return options.includes('reparameterize') ? reparameterise : undefined
}

/** Applies the options of a port that change the tree, one after the other (rule F-1). */
export function applyFlags<T>(tree: Tree<T>, flags: Port['flags']): Tree<T> {
  if (flags.length === 0) return tree
  let changed = tree
  if (flags.includes('flatten')) changed = flatten(changed)
  if (flags.includes('graft')) {
    reserveValues(countValues(changed), BRANCH_BYTES)
    changed = graft(changed)
  }
  if (flags.includes('simplify')) changed = simplify(changed)
  if (flags.includes('reverse')) changed = reverse(changed)
  return changed
}

/**
 * Replaces geometry, vectors and transformations with a coordinate that is not a finite number by null, with one
 * message for each type (rule F-8). `bytes` is the estimated memory of the values, without that of the branches.
 */
export function replaceInvalid(
  data: Data,
  level: SolutionMessage['level'],
  log: MessageLog,
): { data: Data; bytes: number } {
  let bytes = 0
  let isValid = true
  for (const { values } of data.branches) {
    bytes += VALUE_BYTES * values.length
    for (const value of values) {
      // By far the most values are numbers, integers and texts, which are always valid.
      if (typeof value !== 'object' || value === null || value.type === 'integer') continue
      const size = measureValue(value)
      if (size === undefined) isValid = false
      else bytes += size
    }
  }
  if (isValid) return { data, bytes }
  return { data: mapValues(data, (value) => replaceInvalidValue(value, level, log)), bytes }
}

function replaceInvalidValue(
  value: Value | null,
  level: SolutionMessage['level'],
  log: MessageLog,
): Value | null {
  if (value === null || measureValue(value) !== undefined) return value
  log.add(level, `${nameType(value)} is invalid: ${describeFlaw(value)}`, 'failed')
  return null
}

/**
 * Remarks on numbers that are not finite where a node makes them, that is, where none reached it (rule F-9). Later nodes
 * pass them on without a word.
 */
export function reportNonFinite(
  received: readonly Tree<unknown>[],
  made: readonly Tree<unknown>[],
  log: MessageLog,
): void {
  const found = made.map(findNonFinite).find((number) => number !== undefined)
  if (found === undefined || received.some((tree) => findNonFinite(tree) !== undefined)) return
  log.add('remark', Number.isNaN(found) ? 'A result is not a number (NaN)' : 'A result is infinite')
}

/** The first number, or end of a domain, that is not finite. */
function findNonFinite({ branches }: Tree<unknown>): number | undefined {
  for (const { values } of branches) {
    for (const value of values) {
      const found = findNonFiniteNumber(value)
      if (found !== undefined) return found
    }
  }
  return undefined
}

function findNonFiniteNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : value
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  const { type, start, end, u, v } = value as Record<string, unknown>
  if (type === 'domain') return findNonFiniteNumber(start) ?? findNonFiniteNumber(end)
  return type === 'domain2' ? (findNonFiniteNumber(u) ?? findNonFiniteNumber(v)) : undefined
}

const KIND_NAMES: Readonly<Partial<Record<ValueKind, string>>> = {
  polyline: 'Curve',
  nurbsCurve: 'Curve',
  polyCurve: 'Curve',
  nurbsSurface: 'Surface',
  opaque: 'Data',
}

function nameType(value: Value): string {
  const kind = kindOf(value)
  return KIND_NAMES[kind] ?? TYPE_NAMES[kind as PortType]
}
