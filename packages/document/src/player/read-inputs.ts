import type { DataValue, GraphContent, Node, PortReference } from '@meadow/contract'
import type { PlayerField } from '@meadow/contract/web'
import { decodeNumber } from '../graph/data-tree.ts'
import type { ListItem, NodeState, SliderState } from '../graph/node-state.ts'

/** A number, a switch, a text or colour, or the indices of chosen items. */
export type InputValue = number | boolean | string | readonly number[]

export interface PlayerInput {
  port: PortReference
  label: string
  field: PlayerField
  /** The value in the document. */
  value: InputValue
}

const TOGGLE = '2e78987b-9dfb-42a2-8b76-3923ac8bd91a'

/** The inputs of a player. Ports that are not in the content are left out. */
export function readPlayerInputs({ nodes }: GraphContent, ports: readonly PortReference[]): PlayerInput[] {
  return ports.flatMap((port) => {
    const node = nodes[port.nodeInstanceId]
    if (!node) return []
    const label = labelOfPort(node, port.portInstanceId, ports)
    return [{ port, label, ...readField(node, port.portInstanceId) }]
  })
}

function readField(node: Node, portId: string): Pick<PlayerInput, 'field' | 'value'> {
  if ((node.sources[portId] ?? []).length > 0) return fixed('It gets its value from the graph.')
  const state = node.state as NodeState | undefined
  const own = node.values[portId]
  if (own && '$blob' in own) return fixed('It holds too many values to be changed here.')
  const values = (own?.branches ?? []).flatMap(({ values }) => values)
  switch (state?.kind) {
    case 'slider':
      return { field: readSlider(state), value: toNumber(values[0]) ?? state.minimum }
    case 'valueList':
      return readChoice(state.items, state.mode === 'checkList')
    case 'panel':
      return { field: { kind: 'text', isMultiline: true }, value: state.text }
    case 'button':
      return { field: { kind: 'button' }, value: false }
    default:
  }
  if (values.length > 1) return fixed('It holds a list of values.')
  if (node.templateId === TOGGLE) return { field: { kind: 'toggle' }, value: values[0]?.value === true }
  return readTyped(node.ports[portId]?.typeName, values[0] ?? undefined, state)
}

const fixed = (reason: string) => ({ field: { kind: 'fixed', reason } as const, value: '' })

const readSlider = ({ minimum, maximum, interval, decimals }: SliderState): PlayerField => {
  const digits = interval === 'real' ? Math.max(0, Math.min(12, decimals)) : 0
  const step = interval === 'real' ? 10 ** -digits : interval === 'integer' ? 1 : 2
  return { kind: 'slider', minimum, maximum, interval, decimals: digits, step }
}

function readChoice(items: readonly ListItem[], isMultiple: boolean) {
  const value = items.flatMap(({ isSelected }, index) => (isSelected ? [index] : []))
  return { field: { kind: 'choice', items: items.map(({ name }) => name), isMultiple } as const, value }
}

/** Reads a field and its value by the type of the port. */
function readTyped(
  typeName: string | undefined,
  value: DataValue | undefined,
  state: NodeState | undefined,
): Pick<PlayerInput, 'field' | 'value'> {
  const { minimum, maximum } = state?.kind === 'contextual' || state?.kind === 'knob' ? state : {}
  const isLimited = state?.kind !== 'knob' || state.isLimited
  switch (typeName) {
    case 'Number':
    case 'Integer': {
      const limits = {
        ...(isLimited && minimum !== undefined && { minimum }),
        ...(isLimited && maximum !== undefined && { maximum }),
      }
      const number = toNumber(value) ?? minimum ?? 0
      return { field: { kind: 'number', isInteger: typeName === 'Integer', ...limits }, value: number }
    }
    case 'Boolean':
      return { field: { kind: 'toggle' }, value: value?.value === true }
    case 'Text':
      return {
        field: { kind: 'text', isMultiline: false },
        value: value?.type === 'string' ? value.value : '',
      }
    case 'Colour':
      return { field: { kind: 'colour' }, value: value?.type === 'colour' ? value.value : '#ffffffff' }
    default:
      return fixed('Values of this type can be changed in the graph only.')
  }
}

const toNumber = (value: DataValue | null | undefined): number | undefined =>
  value?.type === 'number' || value?.type === 'integer' ? decodeNumber(value.value) : undefined

/**
 * Returns the name of a pinned port: that of its node, followed by its own if the list has another port of the same
 * node.
 */
export function labelOfPort(node: Node, portId: string, ports: readonly PortReference[]): string {
  const label = node.nickName.trim() || node.name
  const port = node.ports[portId]
  const isOnly = ports.filter(({ nodeInstanceId }) => nodeInstanceId === node.instanceId).length < 2
  return isOnly || portId === node.instanceId || !port
    ? label
    : `${label} · ${port.nickName.trim() || port.name}`
}

/**
 * Returns the port that has the values of a pinned output in a solution. A component such as Context Print has no outputs,
 * so its input is pinned: its values are those that its only wire brings, unless the input changes them.
 */
export function resultPortOf({ nodes }: Pick<GraphContent, 'nodes'>, pin: PortReference): PortReference {
  const node = nodes[pin.nodeInstanceId]
  const port = node?.ports[pin.portInstanceId]
  if (!node?.status.isEnabled || !port || Object.hasOwn(node.outputs, pin.portInstanceId)) return pin
  const [source, ...more] = node.sources[pin.portInstanceId] ?? []
  const isChanged = port.flags.length > 0 || port.expression !== undefined
  return source && more.length === 0 && !isChanged ? source : pin
}
