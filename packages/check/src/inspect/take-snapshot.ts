import type { DataValue, Node } from '@meadow/document'
import { measureGeometry } from '@meadow/geometry/measure-geometry'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import { type Data, type Solution, toWireTree } from '@meadow/solver'
import picomatch from 'picomatch'
import type { SnapshotSettings } from '../config/settings.ts'
import type { SnapshotValue, TakenPort } from '../snapshot/snapshot.ts'
import type { WalkedNode } from './walk-nodes.ts'

/**
 * Numbers keep this many significant digits, and small ones are rounded to multiples of 1 / `STEP`: that far, different
 * computers agree.
 */
const DIGITS = 10
const STEP = 1e9

/**
 * Returns the data of a definition's outputs: of the nodes at the ends of its graph, or of those whose names match
 * `nodes`. It is sorted by ids, so that the order does not depend on the canvas.
 */
export function takeSnapshot(
  walked: readonly WalkedNode[],
  { ports, states }: Solution,
  { nodes }: Pick<SnapshotSettings, 'nodes'>,
): TakenPort[] {
  const own = walked.filter(({ depth, isEnabled }) => depth === 0 && isEnabled)
  const isOutput = nodes ? createNameTest(nodes) : createEndTest(own.map(({ node }) => node))
  return own
    .flatMap(({ node, place }) =>
      [...(ports.get(node.instanceId) ?? [])]
        .filter(([portId]) => isOutput(node, portId))
        .map(([portId, data]) => ({
          port: takePort(node, portId, data, states.get(node.instanceId)),
          place,
        })),
    )
    .sort((a, b) => compareTexts(`${a.port.node} ${a.port.port}`, `${b.port.node} ${b.port.port}`))
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

type OutputTest = (node: Node, portId: string) => boolean

function createNameTest(patterns: readonly string[]): OutputTest {
  const fits = picomatch([...patterns])
  return ({ nickName, name }) => fits(nickName) || fits(name)
}

/**
 * Creates a test for outputs that no node takes, apart from nodes that only receive, such as Context Bake. Inputs are
 * no results.
 */
function createEndTest(nodes: readonly Node[]): OutputTest {
  const taken = new Set<string>()
  for (const { sources, outputs } of nodes) {
    if (Object.keys(outputs).length === 0) continue
    for (const wires of Object.values(sources))
      for (const { portInstanceId } of wires) taken.add(portInstanceId)
  }
  return ({ sources, inputs }, portId) => {
    const isInput =
      Object.keys(inputs).length === 0 || (inputs[portId] !== undefined && !sources[portId]?.length)
    return !taken.has(portId) && !isInput
  }
}

function takePort(
  { instanceId, nickName, name, ports }: Node,
  portId: string,
  data: Data,
  state: string | undefined,
): TakenPort['port'] {
  const portName = portId === instanceId ? undefined : ports[portId]?.name
  const facts = { node: instanceId, name: nickName || name, port: portId, ...(portName && { portName }) }
  return state === 'unknown' || state === 'unsupported'
    ? { ...facts, unknown: true }
    : { ...facts, data: takeData(data) }
}

function takeData(data: Data): Record<string, SnapshotValue[]> {
  const wire = toWireTree(data)
  const branches = wire.branches.map(({ path, values }, branch) => {
    const taken = values.map((value, index) => takeValue(value, data.branches[branch]!.values[index]!))
    return [path, taken] as const
  })
  return Object.fromEntries(branches)
}

function takeValue(
  value: DataValue | null,
  solved: Data['branches'][number]['values'][number],
): SnapshotValue {
  if (value === null) return null
  if (typeof value.value === 'number') return roundNumber(value.value)
  if (typeof value.value === 'boolean' || value.type === 'string') return value.value as boolean | string
  const size = solved !== null && isGeometry(solved) ? measureGeometry(solved) : undefined
  const { geometry: _, ...rest } = value
  return {
    [rest.type]: roundNumbers(rest.value),
    ...(size !== undefined && { size: roundNumber(size) }),
  }
}

function roundNumbers(value: unknown): unknown {
  if (typeof value === 'number') return roundNumber(value)
  if (Array.isArray(value)) return value.map(roundNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, roundNumbers(part)]))
}

/** Rounds a number, and turns a negative zero into zero. */
function roundNumber(value: number): number {
  if (!Number.isFinite(value)) return value
  const rounded = Math.abs(value) < 1 ? Math.round(value * STEP) / STEP : Number(value.toPrecision(DIGITS))
  return rounded + 0
}
