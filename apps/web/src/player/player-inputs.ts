import type { DataTree, DataValue, GraphContent, Node } from '@meadow/contract'
import type { PlayerField } from '@meadow/contract/web'
import {
  createDataTree,
  type InputValue,
  listPanelLines,
  type NodeState,
  type PlayerInput,
  readConstant,
} from '@meadow/document'

/** The longest text that a visitor may give. */
export const MAX_TEXT = 2000

/** A value as the field can hold it, or undefined. Numbers are clamped and rounded, texts cut. */
export function fitValue(field: PlayerField, value: InputValue): InputValue | undefined {
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

function fitSlider(
  { minimum, maximum, interval, decimals }: Extract<PlayerField, { kind: 'slider' }>,
  value: number,
): number {
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

function setValue(node: Node, portId: string, field: PlayerField, value: InputValue): Node {
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
