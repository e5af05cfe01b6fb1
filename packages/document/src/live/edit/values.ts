import type { DataTree, DataValue, Node, PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { createDataTree } from '../../graph/data-tree.ts'
import type { PanelState, SliderState, ValueListState } from '../../graph/node-state.ts'
import { listPanelLines, unifyLineEnds } from '../../graph/panel-lines.ts'
import { readConstant } from '../../graph/read-constant.ts'
import { LiveEditError } from './edit-error.ts'
import { getNode, getNodeOfPort } from './find-parts.ts'
import { NODE_CLASSES } from './initial-state.ts'
import { makeEdit, type Plan } from './make-edit.ts'

/**
 * Sets or removes the literal values of a port. A tree above a megabyte has to be in the blob store, and is a
 * `LargeTree` here.
 */
export function setValues(
  doc: Y.Doc,
  port: PortReference,
  tree: DataTree | undefined,
  origin?: unknown,
): void {
  makeEdit(doc, origin, (plan) => planValues(doc, port, tree, plan))
}

function planValues(doc: Y.Doc, port: PortReference, tree: DataTree | undefined, { setNode }: Plan): void {
  const { node, properties } = getNodeOfPort(doc, port)
  setNode(properties, 'value', [port.portInstanceId], tree, node.values[port.portInstanceId])
}

/** Sets a number slider. The number has to fit its range and interval; extra decimals are rounded. */
export function setSlider(doc: Y.Doc, id: string, value: number, origin?: unknown): void {
  const { node } = getNode(doc, id)
  setValues(doc, own(id), createSliderValues(node, value), origin)
}

/** The values that `setSlider` writes. */
export function createSliderValues({ instanceId, state }: Node, value: number): DataTree {
  const slider = state as SliderState | undefined
  if (slider?.kind !== 'slider') throw notA('number slider', instanceId)
  const { minimum, maximum, interval, decimals } = slider
  const steps = { real: 0, integer: 1, odd: 2, even: 2 }[interval]
  const isStep = steps === 0 || Number.isInteger((value - (interval === 'odd' ? 1 : 0)) / steps)
  if (!(value >= minimum && value <= maximum && isStep)) {
    const what =
      interval === 'real' ? 'a number' : interval === 'integer' ? 'a whole number' : `an ${interval} number`
    throw new LiveEditError('not_valid', `This slider takes ${what} from ${minimum} to ${maximum}.`)
  }
  const digits = Math.max(0, Math.min(20, decimals))
  const set: DataValue =
    interval === 'real'
      ? { type: 'number', value: Number(value.toFixed(digits)) }
      : { type: 'integer', value }
  return list(set)
}

/** Sets a Boolean toggle. */
export function setToggle(doc: Y.Doc, id: string, value: boolean, origin?: unknown): void {
  if (getNode(doc, id).node.templateId !== NODE_CLASSES.toggle) throw notA('toggle', id)
  setValues(doc, own(id), list({ type: 'boolean', value }), origin)
}

/** Sets the text of a panel: one value, or a value for each line, depending on the panel. */
export function setPanelText(doc: Y.Doc, id: string, text: string, origin?: unknown): void {
  const state = getNode(doc, id).node.state as PanelState | undefined
  if (state?.kind !== 'panel') throw notA('panel', id)
  const unified = unifyLineEnds(text).toWellFormed()
  const lines = listPanelLines(unified, state.isMultiline)
  makeEdit(doc, origin, (plan) => {
    planState(doc, id, { text: unified }, plan)
    planValues(doc, own(id), listOrNone(lines.map((value) => ({ type: 'string', value }))), plan)
  })
}

/** Selects items of a value list by index: any number in a check list, one in other lists. */
export function chooseItems(doc: Y.Doc, id: string, indices: readonly number[], origin?: unknown): void {
  const state = getNode(doc, id).node.state as ValueListState | undefined
  if (state?.kind !== 'valueList') throw notA('value list', id)
  const { mode, items } = state
  const isValid = indices.every((index) => items[index]) && (mode === 'checkList' || indices.length === 1)
  if (!isValid) throw new LiveEditError('not_valid', 'Choose one of the items of the list.')
  const chosen = items.map((item, index) => ({ ...item, isSelected: indices.includes(index) }))
  const values = chosen
    .filter(({ isSelected }) => isSelected)
    .map(({ expression }) => readConstant(expression))
  makeEdit(doc, origin, (plan) => {
    planState(doc, id, { items: chosen }, plan)
    planValues(doc, own(id), listOrNone(values), plan)
  })
}

/**
 * Sets members of a node's state: the range of a slider, the source of a script. Undefined removes a member; other
 * members stay. The caller sets the values that follow from the state.
 */
export function setState(
  doc: Y.Doc,
  id: string,
  state: Readonly<Record<string, unknown>>,
  origin?: unknown,
): void {
  makeEdit(doc, origin, (plan) => planState(doc, id, state, plan))
}

function planState(
  doc: Y.Doc,
  id: string,
  state: Readonly<Record<string, unknown>>,
  { setNode }: Plan,
): void {
  const { node, properties } = getNode(doc, id)
  if (!node.state) throw new LiveEditError('not_valid', `The node ${id} keeps nothing but its values.`)
  if (Object.hasOwn(state, 'kind') && state.kind !== node.state.kind) {
    throw new LiveEditError('not_valid', `The node ${id} cannot become another kind of node.`)
  }
  for (const [name, value] of Object.entries(state))
    setNode(properties, 'state', [name], value, node.state[name])
}

/** The only port of a node that is a parameter object (decision 0007). */
const own = (id: string): PortReference => ({ nodeInstanceId: id, portInstanceId: id })

const list = (...values: DataValue[]) => createDataTree([{ path: [0], values }])

const listOrNone = (values: DataValue[]) => (values.length > 0 ? list(...values) : undefined)

const notA = (kind: string, id: string) => new LiveEditError('not_valid', `The node ${id} is no ${kind}.`)
