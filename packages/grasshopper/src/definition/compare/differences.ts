import {
  agreeingTree,
  type DataTree,
  type GraphContent,
  type Group,
  holdsState,
  type Node,
  type Port,
  type PortReference,
  sameJson,
  sameState,
  sameTree,
} from '@meadow/document'

/** A difference between two graphs: the property, in words, and its owner. */
export interface Difference {
  what: string
  nodeInstanceId?: string
  portInstanceId?: string
  groupId?: string
}

/** How the states and values of nodes are compared. */
export interface Comparison {
  states: typeof sameState
  trees(a: DataTree | undefined, b: DataTree | undefined): boolean
  /** Whether how nodes, ports and wires are shown is not compared. */
  ignoresAppearance?: boolean
}

/** Finds any change. */
const EXACTLY: Comparison = { states: sameState, trees: sameTree }

/** Finds what the second graph lacks of the first; it may contain more. */
export const IN_EFFECT: Comparison = {
  states: (a, b) => holdsState(withoutPlaced(a), b),
  trees: agreeingTree,
}

/** Removes what a placed node keeps of its library item, which in a file is the object itself. */
function withoutPlaced(state: Node['state']): Node['state'] {
  if (state?.object === undefined) return state
  const { object: _, kind, ...rest } = state
  return kind === 'placed' ? rest : { kind, ...rest }
}

/** Compares like `IN_EFFECT`, for graphs that were read without their appearance (`Reading`). */
export const IN_EFFECT_PLAIN: Comparison = { ...IN_EFFECT, ignoresAppearance: true }

/** The differences of two valid graphs, at the precision of a Grasshopper file. The order of records does not matter. */
export function listDifferences(
  a: GraphContent,
  b: GraphContent,
  comparison: Comparison = EXACTLY,
): Difference[] {
  const ids = new Set([...Object.keys(a.nodes), ...Object.keys(b.nodes)])
  const nodes = [...ids].flatMap((id) => {
    const [first, second] = [a.nodes[id], b.nodes[id]]
    const found = first && second ? listNodeDifferences(first, second, comparison) : [{ what: 'node' }]
    return found.map((difference) => ({ ...difference, nodeInstanceId: id }))
  })
  const pins = sameJson(a.configuration, b.configuration) ? [] : [{ what: 'pinned ports' }]
  return [...nodes, ...listGroupDifferences(a.groups, b.groups), ...pins]
}

function listNodeDifferences(a: Node, b: Node, comparison: Comparison): Difference[] {
  const comparisons: [string, boolean][] = [
    ['kind', a.templateId === b.templateId],
    ['name', a.name === b.name],
    ['nickname', a.nickName === b.nickName],
    ['position', samePosition(a.position, b.position)],
    ['status', sameJson(a.status, b.status)],
    ['display', comparison.ignoresAppearance === true || a.display === b.display],
    ['ports', samePorts(a, b)],
    ['state', comparison.states(a.state, b.state)],
  ]
  const own = comparisons.filter(([, isSame]) => !isSame).map(([what]) => ({ what }))
  const shared = Object.keys(a.ports).filter((id) => Object.hasOwn(b.ports, id))
  return [...own, ...shared.flatMap((id) => listPortDifferences(id, a, b, comparison))]
}

export function samePosition(a: Node['position'], b: Node['position']): boolean {
  return Math.fround(a.x) === Math.fround(b.x) && Math.fround(a.y) === Math.fround(b.y)
}

function samePorts(a: Node, b: Node): boolean {
  return sameJson(a.inputs, b.inputs) && sameJson(a.outputs, b.outputs)
}

function listPortDifferences(id: string, a: Node, b: Node, comparison: Comparison): Difference[] {
  const comparisons: [string, boolean][] = [
    ['port', samePort(a.ports[id] as Port, b.ports[id] as Port, comparison)],
    ['wires', sameWires(a.sources[id], b.sources[id])],
    ['values', comparison.trees(a.values[id], b.values[id])],
  ]
  return comparisons.filter(([, isSame]) => !isSame).map(([what]) => ({ what, portInstanceId: id }))
}

/** A type that is derived from the values alone can be unknown in one of the two. */
function samePort(a: Port, b: Port, { ignoresAppearance = false }: Comparison): boolean {
  const isUnknown = [a.typeName, b.typeName].includes('Unknown')
  return (
    a.name === b.name &&
    a.nickName === b.nickName &&
    (isUnknown || a.typeName === b.typeName) &&
    a.access === b.access &&
    sameMembers(a.flags, b.flags) &&
    (a.expression ?? '') === (b.expression ?? '') &&
    sameMembers(listOptions(a, ignoresAppearance), listOptions(b, ignoresAppearance)) &&
    (ignoresAppearance || a.wireDisplay === b.wireDisplay)
  )
}

function listOptions({ options = [] }: Port, ignoresAppearance: boolean): readonly string[] {
  return ignoresAppearance ? options.filter((option) => !SHOWN_OPTIONS.includes(option)) : options
}

/** The options of a port that a parameter object has in the status of its node. */
const SHOWN_OPTIONS: readonly string[] = ['hidden', 'locked']

export function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  const [first, second] = [new Set(a), new Set(b)]
  return first.size === second.size && a.every((member) => second.has(member))
}

export function sameWires(a: readonly PortReference[] = [], b: readonly PortReference[] = []): boolean {
  return a.length === b.length && a.every((wire, i) => wire.portInstanceId === b[i]?.portInstanceId)
}

function listGroupDifferences(a: readonly Group[], b: readonly Group[]): Difference[] {
  const [first, second] = [a, b].map((groups) => new Map(groups.map((group) => [group.id, group])))
  const ids = new Set([...a, ...b].map(({ id }) => id))
  const differing = [...ids].filter((id) => !sameJson(first?.get(id), second?.get(id)))
  if (differing.length > 0) return differing.map((groupId) => ({ what: 'group', groupId }))
  return a.every(({ id }, i) => id === b[i]?.id) ? [] : [{ what: 'order of groups' }]
}
