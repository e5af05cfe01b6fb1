import { setValues } from '@meadow/document/live'
import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FlowNode } from '../flow.ts'
import { useGraph } from '../graph-context.ts'
import { labelOf } from '../node-shape.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'
import { findOwnValue } from './own-value.ts'

const OPAQUE = 'ff'

export const SwatchNode = memo(function SwatchNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit } = useGraph()
  const own = findOwnValue(node)
  const colour = own?.type === 'colour' ? own.value : '#ffffffff'
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.box}>
      <span className={styles.sliderLabel}>{labelOf(node)}</span>
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
