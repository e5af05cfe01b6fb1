import type { ScribbleState } from '@meadow/document'
import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FlowNode } from '../flow.ts'
import styles from './nodes.module.css'

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
