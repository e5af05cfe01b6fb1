import type { DataTree, DataValue, PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { createDataTree } from '../../data-tree.ts'
import type { PanelState, SliderState, ValueListState } from '../../node-state.ts'
import { listPanelLines, unifyLineEnds } from '../../panel-lines.ts'
import { readConstant } from '../../read-constant.ts'
import { LiveEditError } from './edit-error.ts'
import { getNode, getNodeOfPort } from './get-parts.ts'
import { KINDS } from './kinds.ts'
import { makeEdit, type Plan } from './make-edit.ts'

/**
 * Types a tree into a port, or takes away what was typed in. A tree above a megabyte has to be in the blob store,
 * and is a `LargeTree` here.
 */
export function setValues(
  doc: Y.Doc,
  port: PortReference,
  tree: DataTree | undefined,
  origin?: unknown,
): void {
  makeEdit(doc, origin, (plan) => noteValues(doc, port, tree, plan))
}

function noteValues(doc: Y.Doc, port: PortReference, tree: DataTree | undefined, { setNode }: Plan): void {
  const { node, facts } = getNodeOfPort(doc, port)
  setNode(facts, 'value', [port.portInstanceId], tree, node.values[port.portInstanceId])
}

/** Sets a number slider. The number has to be one that it can have, but for decimals beyond those that it shows. */
export function setSlider(doc: Y.Doc, id: string, value: number, origin?: unknown): void {
  const { node } = getNode(doc, id)
  const state = node.state as SliderState | undefined
  if (state?.kind !== 'slider') throw notA('number slider', id)
  const { minimum, maximum, interval, decimals } = state
  const steps = { real: 0, integer: 1, odd: 2, even: 2 }[interval]
  const isStep = steps === 0 || Number.isInteger((value - (interval === 'odd' ? 1 : 0)) / steps)
  if (!(value >= minimum && value <= maximum && isStep)) {
    const what =
      interval === 'real' ? 'a number' : interval === 'integer' ? 'a whole number' : `an ${interval} number`
    throw new LiveEditError('not_valid', `This slider takes ${what} from ${minimum} to ${maximum}.`)
  }
  const places = Math.max(0, Math.min(20, decimals))
  const set: DataValue =
    interval === 'real'
      ? { type: 'number', value: Number(value.toFixed(places)) }
      : { type: 'integer', value }
  setValues(doc, own(id), list(set), origin)
}

/** Sets a Boolean toggle. */
export function setToggle(doc: Y.Doc, id: string, value: boolean, origin?: unknown): void {
  if (getNode(doc, id).node.templateId !== KINDS.toggle) throw notA('toggle', id)
  setValues(doc, own(id), list({ type: 'boolean', value }), origin)
}

/** Types text into a panel: one value, or a value for each line, as the panel has it. */
export function setPanelText(doc: Y.Doc, id: string, text: string, origin?: unknown): void {
  const state = getNode(doc, id).node.state as PanelState | undefined
  if (state?.kind !== 'panel') throw notA('panel', id)
  const unified = unifyLineEnds(text).toWellFormed()
  const lines = listPanelLines(unified, state.isMultiline)
  makeEdit(doc, origin, (plan) => {
    noteState(doc, id, { text: unified }, plan)
    noteValues(doc, own(id), listOrNone(lines.map((value) => ({ type: 'string', value }))), plan)
  })
}

/** Chooses items of a value list by their places: any number of a check list, one of the others. */
export function chooseItems(doc: Y.Doc, id: string, places: readonly number[], origin?: unknown): void {
  const state = getNode(doc, id).node.state as ValueListState | undefined
  if (state?.kind !== 'valueList') throw notA('value list', id)
  const { mode, items } = state
  const isValid = places.every((place) => items[place]) && (mode === 'checkList' || places.length === 1)
  if (!isValid) throw new LiveEditError('not_valid', 'Choose one of the items of the list.')
  const chosen = items.map((item, place) => ({ ...item, isSelected: places.includes(place) }))
  const values = chosen
    .filter(({ isSelected }) => isSelected)
    .map(({ expression }) => readConstant(expression))
  makeEdit(doc, origin, (plan) => {
    noteState(doc, id, { items: chosen }, plan)
    noteValues(doc, own(id), listOrNone(values), plan)
  })
}

/**
 * Sets what a special kind of node keeps, by name: the range of a slider, the source of a script. Undefined takes
 * away. What is not named stays, and values that follow from it are the caller's to set.
 */
export function setState(
  doc: Y.Doc,
  id: string,
  state: Readonly<Record<string, unknown>>,
  origin?: unknown,
): void {
  makeEdit(doc, origin, (plan) => noteState(doc, id, state, plan))
}

function noteState(
  doc: Y.Doc,
  id: string,
  state: Readonly<Record<string, unknown>>,
  { setNode }: Plan,
): void {
  const { node, facts } = getNode(doc, id)
  if (!node.state) throw new LiveEditError('not_valid', `The node ${id} keeps nothing but its values.`)
  if (Object.hasOwn(state, 'kind') && state.kind !== node.state.kind) {
    throw new LiveEditError('not_valid', `The node ${id} cannot become another kind of node.`)
  }
  for (const [name, value] of Object.entries(state)) setNode(facts, 'state', [name], value, node.state[name])
}

/** The one port of a node that is a parameter itself (0007). */
const own = (id: string): PortReference => ({ nodeInstanceId: id, portInstanceId: id })

const list = (...values: DataValue[]) => createDataTree([{ path: [0], values }])

const listOrNone = (values: DataValue[]) => (values.length > 0 ? list(...values) : undefined)

const notA = (kind: string, id: string) => new LiveEditError('not_valid', `The node ${id} is no ${kind}.`)
