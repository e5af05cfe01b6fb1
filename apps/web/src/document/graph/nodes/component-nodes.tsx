import type { PortFlag } from '@meadow/contract'
import type { ScribbleState, SketchState } from '@meadow/document'
import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { KindIcon } from '../icons/kind-icon.tsx'
import type { FlowNode } from '../layout/flow-nodes.ts'
import { boxOf, labelOf, layOutScribble, portLabel } from '../layout/node-box.ts'
import { useGraph } from './graph-context.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'

/** A component: its ports at both sides of its name. */
export const ComponentNode = memo(function ComponentNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { inputs, outputs, columns } = boxOf(node)
  const { showsIcons } = useGraph()
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
      <div className={styles.name} data-name={node.name}>
        {showsIcons ? <KindIcon templateId={node.templateId} size={22} /> : <span>{labelOf(node)}</span>}
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
  const { showsIcons } = useGraph()
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.parameter}>
      <span className={styles.label} data-name={node.name}>
        {showsIcons ? <KindIcon templateId={node.templateId} size={18} /> : labelOf(node)}
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
  const { isBold, isItalic } = node.state as ScribbleState
  const { lines, lineHeight, fontSize } = layOutScribble(node)
  return (
    <div
      className={styles.scribble}
      data-selected={selected || undefined}
      style={{
        fontSize,
        lineHeight: `${lineHeight}px`,
        fontWeight: isBold ? 700 : 400,
        fontStyle: isItalic ? 'italic' : 'normal',
      }}
    >
      {lines.join('\n')}
    </div>
  )
})

/** A click this near selects a line, in canvas units. */
const REACH = 10

/** Lines drawn by hand: they are painted with the wires, here is what can be clicked. */
export const SketchNode = memo(function SketchNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { lines, width } = node.state as SketchState
  const box = boxOf(node)
  const [left, top] = [node.position.x - box.x, node.position.y - box.y]
  const path = lines
    .map((line) => line.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${left + x} ${top + y}`).join(''))
    .join('')
  return (
    <svg
      className={styles.sketch}
      data-selected={selected || undefined}
      width={box.width}
      height={box.height}
      aria-hidden="true"
    >
      <path d={path} strokeWidth={width + REACH} />
    </svg>
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
