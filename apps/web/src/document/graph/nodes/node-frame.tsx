import type { Node } from '@meadow/contract'
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type NodeMessage, useGraph } from '../graph-context.ts'
import { boxOf } from '../node-shape.ts'
import { Grip } from './grip.tsx'
import styles from './nodes.module.css'

const SYMBOLS = { error: IconCircleX, warning: IconAlertTriangle, remark: IconInfoCircle }
const LEVELS = ['error', 'warning', 'remark'] as const

interface NodeFrameProps {
  node: Node
  isSelected: boolean
  className: string | undefined
  children: ReactNode
}

/** The box of a node with its grips, its state by colour, and what the solver says of it. */
export function NodeFrame({ node, isSelected, className, children }: NodeFrameProps) {
  const { messages, solution } = useGraph()
  const { inputs, outputs, width, height } = boxOf(node)
  const said = messages.get(node.instanceId) ?? []
  const worst = LEVELS.find((level) => said.some((message) => message.level === level))
  const durationMs = solution?.nodes[node.instanceId]?.durationMs
  return (
    <div
      className={`${styles.node} ${className ?? ''}`}
      style={{ width, height }}
      data-level={worst}
      data-selected={isSelected || undefined}
      data-disabled={!node.status.isEnabled || undefined}
      data-hidden={!node.status.isPreviewed || undefined}
    >
      {children}
      {inputs.map(({ id, y }) => (
        <Grip key={id} node={node} portId={id} side="input" top={y} />
      ))}
      {outputs.map(({ id, y }) => (
        <Grip key={id} node={node} portId={id} side="output" top={y} />
      ))}
      {worst && <Balloon level={worst} messages={said} />}
      {durationMs !== undefined && durationMs >= SLOW_MS && (
        <span className={styles.duration}>{formatDuration(durationMs)}</span>
      )}
    </div>
  )
}

/** What is faster is not worth telling. */
const SLOW_MS = 10

const formatDuration = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

function Balloon({ level, messages }: { level: NodeMessage['level']; messages: readonly NodeMessage[] }) {
  const Icon = SYMBOLS[level]
  const text = messages.map((said) => said.message).join('\n')
  return (
    <span
      className={styles.balloon}
      data-level={level}
      role="img"
      aria-label={`${level}: ${text}`}
      title={text}
    >
      <Icon size={14} aria-hidden />
    </span>
  )
}
