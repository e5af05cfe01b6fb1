import type { PortFlag } from '@meadow/contract'
import type { ScribbleState } from '@meadow/document'
import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FlowNode } from '../layout/flow-nodes.ts'
import { boxOf, labelOf, portLabel } from '../layout/node-box.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'

/** A component: its ports at both sides of its name. */
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

/** A parameter, or any other node that is one port. */
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

/** A point where a wire bends. */
export const RelayNode = memo(function RelayNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.relay}>
      <span className={styles.label}>{node.nickName}</span>
    </NodeFrame>
  )
})

/** A note on the canvas. */
export const ScribbleNode = memo(function ScribbleNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { text, fontSize, isBold, isItalic } = node.state as ScribbleState
  return (
    <div
      className={styles.scribble}
      data-selected={selected || undefined}
      style={{ fontSize, fontWeight: isBold ? 700 : 400, fontStyle: isItalic ? 'italic' : 'normal' }}
    >
      {text}
    </div>
  )
})

const FLAG_SYMBOLS: Record<PortFlag, string> = { graft: '↑', flatten: '↓', simplify: '∖', reverse: '⇅' }

function PortFlags({ flags = [] }: { flags?: readonly PortFlag[] | undefined }) {
  return flags.map((flag) => (
    <span key={flag} className={styles.flag} role="img" aria-label={flag} title={flag}>
      {FLAG_SYMBOLS[flag]}
    </span>
  ))
}
