import { decodeNumber, type SliderState } from '@meadow/document'
import { setSlider } from '@meadow/document/live'
import type { NodeProps } from '@xyflow/react'
import { memo, useState } from 'react'
import type { FlowNode } from '../flow.ts'
import { useGraph } from '../graph-context.ts'
import { labelOf } from '../node-shape.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'
import { findOwnValue } from './own-value.ts'

/** The step of whole, odd and even numbers; of others the last decimal that is shown. */
const stepOf = ({ interval, decimals }: SliderState): number =>
  interval === 'real' ? 10 ** -decimals : interval === 'integer' ? 1 : 2

export const SliderNode = memo(function SliderNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit, openDialog } = useGraph()
  const state = node.state as SliderState
  const own = findOwnValue(node)
  const stored = own?.type === 'number' || own?.type === 'integer' ? decodeNumber(own.value) : state.minimum
  // While it is dragged, nothing is written: each step would stay in the document's history for ever.
  const [dragged, setDragged] = useState<number>()
  const shown = dragged ?? stored
  const digits = state.interval === 'real' ? Math.max(0, state.decimals) : 0
  const drop = () => {
    if (dragged !== undefined && dragged !== stored)
      edit((live) => setSlider(live, node.instanceId, dragged, origin))
    setDragged(undefined)
  }
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.slider}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu of the node does the same. */}
      <span
        className={styles.sliderLabel}
        title={node.name}
        onDoubleClick={() => doc && openDialog(node.instanceId)}
      >
        {labelOf(node)}
      </span>
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
        onChange={({ currentTarget }) => setDragged(currentTarget.valueAsNumber)}
        onPointerUp={drop}
        onKeyUp={drop}
        onBlur={drop}
      />
      <output className={styles.value}>{shown.toFixed(digits)}</output>
    </NodeFrame>
  )
})
