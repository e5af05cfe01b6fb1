import type { Node } from '@meadow/contract'
import { decodeNumber, type SliderState, type ValueListState } from '@meadow/document'
import { chooseItems, createSliderValues, setSlider, setToggle, setValues } from '@meadow/document/live'
import type { NodeProps } from '@xyflow/react'
import { memo, useSyncExternalStore } from 'react'
import type { FlowNode } from '../layout/flow-nodes.ts'
import { labelOf } from '../layout/node-box.ts'
import { useGraph } from './graph-context.ts'
import { NodeFrame } from './node-frame.tsx'
import { findOwnValue } from './node-values.ts'
import styles from './nodes.module.css'

/** A number slider. */
export const SliderNode = memo(function SliderNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit, drafts } = useGraph()
  const state = node.state as SliderState
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.read().get(node.instanceId))
  const shown = findNumber(draft ?? node) ?? state.minimum
  const digits = state.interval === 'real' ? Math.max(0, state.decimals) : 0
  // The value is written only when the slider is released.
  const drop = () => {
    if (!draft) return
    if (shown === findNumber(node)) drafts.drop(node.instanceId)
    else
      edit((live) => {
        drafts.written(node.instanceId)
        setSlider(live, node.instanceId, shown, origin)
      })
  }
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.slider}>
      <DialogLabel node={node} />
      <input
        className={`${styles.track} nodrag nopan`}
        type="range"
        tabIndex={-1}
        aria-label={labelOf(node)}
        disabled={!doc}
        min={state.minimum}
        max={state.maximum}
        step={stepOf(state)}
        value={shown}
        onChange={({ currentTarget }) =>
          drafts.set(node, createSliderValues(node, currentTarget.valueAsNumber))
        }
        onPointerUp={drop}
        onKeyUp={drop}
        onBlur={drop}
      />
      <output className={styles.value}>{shown.toFixed(digits)}</output>
    </NodeFrame>
  )
})

/** The label of a node with a dialog, which a double click opens. */
function DialogLabel({ node }: { node: Node }) {
  const { doc, openDialog } = useGraph()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu of the node does the same.
    <span
      className={styles.sliderLabel}
      title={labelOf(node)}
      onDoubleClick={() => doc && openDialog(node.instanceId)}
    >
      {labelOf(node)}
    </span>
  )
}

/** The own value of a node, if it is a number. */
function findNumber(node: Node): number | undefined {
  const own = findOwnValue(node)
  return own?.type === 'number' || own?.type === 'integer' ? decodeNumber(own.value) : undefined
}

/** The step that the input takes: 2 for odd and even numbers. */
const stepOf = ({ interval, decimals }: SliderState): number =>
  interval === 'real' ? 10 ** -decimals : interval === 'integer' ? 1 : 2

/** A boolean toggle. */
export const ToggleNode = memo(function ToggleNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit } = useGraph()
  const isOn = findOwnValue(node)?.value === true
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.box}>
      <span className={styles.sliderLabel} title={labelOf(node)}>
        {labelOf(node)}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className={`${styles.toggle} nodrag`}
        aria-pressed={isOn}
        aria-label={labelOf(node)}
        disabled={!doc}
        onClick={() => edit((live) => setToggle(live, node.instanceId, !isOn, origin))}
      >
        {isOn ? 'True' : 'False'}
      </button>
    </NodeFrame>
  )
})

/** A value list, with one or several items chosen. */
export const ValueListNode = memo(function ValueListNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit } = useGraph()
  const { items, mode } = node.state as ValueListState
  const chosen = items.flatMap(({ isSelected }, index) => (isSelected ? [String(index)] : []))
  const isMultiple = mode === 'checkList'
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.box}>
      <DialogLabel node={node} />
      <select
        className={`${styles.select} nodrag nowheel`}
        aria-label={labelOf(node)}
        disabled={!doc}
        multiple={isMultiple}
        size={1}
        tabIndex={-1}
        value={isMultiple ? chosen : (chosen[0] ?? '')}
        onChange={({ currentTarget }) => {
          const indices = [...currentTarget.selectedOptions].map(({ value }) => Number(value))
          edit((live) => chooseItems(live, node.instanceId, indices, origin))
        }}
      >
        {items.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items are identified by their index; names may repeat.
          <option key={index} value={index}>
            {name}
          </option>
        ))}
      </select>
    </NodeFrame>
  )
})

const OPAQUE = 'ff'

/** A colour swatch. */
export const SwatchNode = memo(function SwatchNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit } = useGraph()
  const own = findOwnValue(node)
  const colour = own?.type === 'colour' ? own.value : '#ffffffff'
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.box}>
      <span className={styles.sliderLabel} title={labelOf(node)}>
        {labelOf(node)}
      </span>
      <input
        type="color"
        tabIndex={-1}
        className={`${styles.swatch} nodrag`}
        aria-label={labelOf(node)}
        disabled={!doc}
        value={colour.slice(0, 7)}
        onChange={({ currentTarget }) => {
          const value = `${currentTarget.value}${colour.slice(7) || OPAQUE}`
          const port = { nodeInstanceId: node.instanceId, portInstanceId: node.instanceId }
          const tree = { branches: [{ path: '{0}', values: [{ type: 'colour' as const, value }] }] }
          edit((live) => setValues(live, port, tree, origin))
        }}
      />
    </NodeFrame>
  )
})
