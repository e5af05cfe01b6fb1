import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FlowNode } from '../flow.ts'
import { labelOf } from '../node-shape.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'
import { PortFlags } from './port-flags.tsx'

/** A floating parameter, or anything else that is one port. */
export const ParameterNode = memo(function ParameterNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.parameter}>
      <span className={styles.label} title={node.name}>
        {labelOf(node)}
        <PortFlags flags={node.ports[node.instanceId]?.flags} />
      </span>
    </NodeFrame>
  )
})

/** A place where a wire bends. */
export const RelayNode = memo(function RelayNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.relay}>
      <span className={styles.label}>{node.nickName}</span>
    </NodeFrame>
  )
})
