import type { DataTree, DataValue, GraphContent, Node, PortReference } from '@meadow/contract'
import {
  createDataTree,
  decodeNumber,
  type ListItem,
  listPanelLines,
  type NodeState,
  readConstant,
  type SliderState,
} from '@meadow/document'
import { labelOfPort } from '../document/graph/editing/player-ports.ts'

/** How the value of an input is chosen. */
export type Field =
  | ({ kind: 'slider' } & SliderField)
  | { kind: 'number'; isInteger: boolean; minimum?: number; maximum?: number }
  | { kind: 'toggle' }
  /** A choice of items, whose value is the list of their indices. */
  | { kind: 'choice'; items: readonly string[]; isMultiple: boolean }
  /** A colour, as `#rrggbbaa`. */
  | { kind: 'colour' }
  | { kind: 'text'; isMultiline: boolean }
  /** A button, whose value is true while it is pressed. */
  | { kind: 'button' }
  /** A value that cannot be changed in the player; a sentence says why. */
  | { kind: 'fixed'; reason: string }

export type SliderField = Pick<SliderState, 'minimum' | 'maximum' | 'interval'> & {
  /** The number of decimal places. */
  decimals: number
  step: number
}

/** A number, a switch, a text or colour, or the indices of chosen items. */
export type InputValue = number | boolean | string | readonly number[]

export interface PlayerInput {
  port: PortReference
  label: string
  field: Field
  /** The value in the document. */
  value: InputValue
}

/** The longest text that a visitor may give. */
export const MAX_TEXT = 2000

const TOGGLE = '2e78987b-9dfb-42a2-8b76-3923ac8bd91a'

/** The inputs of a player. Ports that are not in the content are left out. */
export function readInputs({ nodes }: GraphContent, ports: readonly PortReference[]): PlayerInput[] {
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

const readSlider = ({ minimum, maximum, interval, decimals }: SliderState): Field => {
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

/** A value as the field can hold it, or undefined. Numbers are clamped and rounded, texts cut. */
export function fitValue(field: Field, value: InputValue): InputValue | undefined {
  switch (field.kind) {
    case 'slider':
      return typeof value === 'number' && !Number.isNaN(value) ? fitSlider(field, value) : undefined
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
      const { minimum = -Infinity, maximum = Infinity, isInteger } = field
      return Math.min(Math.max(isInteger ? Math.round(value) : value, minimum), maximum)
    }
    case 'toggle':
    case 'button':
      return typeof value === 'boolean' ? value : undefined
    case 'choice': {
      if (!Array.isArray(value)) return undefined
      const indices = [...new Set(value as number[])].filter((index) => field.items[index] !== undefined)
      return field.isMultiple || indices.length === 1 ? indices.sort((a, b) => a - b) : undefined
    }
    case 'colour':
      return typeof value === 'string' && /^#[0-9a-f]{8}$/.test(value) ? value : undefined
    case 'text':
      return typeof value === 'string'
        ? value.replaceAll(/\r\n?/g, '\n').slice(0, MAX_TEXT).toWellFormed()
        : undefined
    default:
      return undefined
  }
}

function fitSlider({ minimum, maximum, interval, decimals }: SliderField, value: number): number {
  const clamped = Math.min(Math.max(value, minimum), maximum)
  if (interval === 'real') return Math.min(Math.max(Number(clamped.toFixed(decimals)), minimum), maximum)
  const [step, first] = interval === 'integer' ? [1, 0] : [2, interval === 'odd' ? 1 : 0]
  const nearest = first + step * Math.round((clamped - first) / step)
  if (nearest > maximum) return nearest - step
  return nearest < minimum ? nearest + step : nearest
}

/** The content with other values of some inputs. Nodes without other values stay the same objects. */
export function applyInputs(
  content: GraphContent,
  inputs: readonly PlayerInput[],
  values: ReadonlyMap<PlayerInput, InputValue>,
): GraphContent {
  if (values.size === 0) return content
  const nodes = { ...content.nodes }
  for (const input of inputs) {
    const value = values.get(input)
    const { nodeInstanceId, portInstanceId } = input.port
    const node = nodes[nodeInstanceId]
    if (value === undefined || !node) continue
    let made = changed.get(input)
    if (!made || made.from !== node || !isSameValue(made.value, value)) {
      made = { from: node, value, node: setValue(node, portInstanceId, input.field, value) }
      changed.set(input, made)
    }
    nodes[nodeInstanceId] = made.node
  }
  return { ...content, nodes }
}

/** The last node of each input, so that the same value gives the same object: a solve computes what other objects feed. */
const changed = new WeakMap<PlayerInput, { from: Node; value: InputValue; node: Node }>()

function setValue(node: Node, portId: string, field: Field, value: InputValue): Node {
  const state = node.state as NodeState | undefined
  const set = (values: readonly DataValue[], changed?: Partial<NodeState>): Node => {
    const { [portId]: _, ...others } = node.values
    const tree: Record<string, DataTree> =
      values.length > 0 ? { [portId]: createDataTree([{ path: [0], values: [...values] }]) } : {}
    return {
      ...node,
      values: { ...others, ...tree },
      ...(changed && { state: { ...node.state, ...changed } }),
    }
  }
  switch (field.kind) {
    case 'slider':
      return set([{ type: field.interval === 'real' ? 'number' : 'integer', value: value as number }])
    case 'number':
      return set([{ type: field.isInteger ? 'integer' : 'number', value: value as number }])
    case 'toggle':
      return set([{ type: 'boolean', value: value as boolean }])
    case 'colour':
      return set([{ type: 'colour', value: value as string }])
    case 'text': {
      if (state?.kind !== 'panel') return set([{ type: 'string', value: value as string }])
      const lines = listPanelLines(value as string, state.isMultiline)
      return set(
        lines.map((line) => ({ type: 'string', value: line })),
        { text: value as string },
      )
    }
    case 'choice': {
      if (state?.kind !== 'valueList') return node
      const items = state.items.map((item, index) => ({
        ...item,
        isSelected: (value as readonly number[]).includes(index),
      }))
      const chosen = items.filter(({ isSelected }) => isSelected)
      return set(
        chosen.map(({ expression }) => readConstant(expression)),
        { items },
      )
    }
    case 'button':
      return state?.kind === 'button'
        ? set([readConstant(value === true ? state.pressed : state.normal)])
        : node
    default:
      return node
  }
}

/** Whether two values of a field are the same. */
export const isSameValue = (a: InputValue, b: InputValue): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.join() === b.join() : a === b
