import { setToggle } from '@meadow/document/live'
import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FlowNode } from '../flow.ts'
import { useGraph } from '../graph-context.ts'
import { labelOf } from '../node-shape.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'
import { findOwnValue } from './own-value.ts'

export const ToggleNode = memo(function ToggleNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit } = useGraph()
  const isOn = findOwnValue(node)?.value === true
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.box}>
      <span className={styles.sliderLabel}>{labelOf(node)}</span>
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
