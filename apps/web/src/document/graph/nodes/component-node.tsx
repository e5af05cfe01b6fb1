import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FlowNode } from '../flow.ts'
import { boxOf, labelOf, portLabel } from '../node-shape.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'
import { PortFlags } from './port-flags.tsx'

export const ComponentNode = memo(function ComponentNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { inputs, outputs, columns } = boxOf(node)
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.component}>
      <div className={styles.column} data-side="input" style={{ width: columns.left }}>
        {inputs.map(({ id }) => (
          <span key={id} className={styles.port}>
            {portLabel(node, id)}
            <PortFlags flags={node.ports[id]?.flags} />
          </span>
        ))}
      </div>
      <div className={styles.name} title={node.name}>
        <span>{labelOf(node)}</span>
      </div>
      <div className={styles.column} data-side="output" style={{ width: columns.right }}>
        {outputs.map(({ id }) => (
          <span key={id} className={styles.port}>
            <PortFlags flags={node.ports[id]?.flags} />
            {portLabel(node, id)}
          </span>
        ))}
      </div>
    </NodeFrame>
  )
})
