import type { Node } from '@meadow/contract'
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { Handle, Position } from '@xyflow/react'
import { memo, type ReactNode } from 'react'
import { boxOf, portLabel } from '../layout/node-box.ts'
import { type NodeMessage, useGraph } from './graph-context.ts'
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

interface GripProps {
  node: Node
  portId: string
  side: 'input' | 'output'
  /** From the upper edge of the node. */
  top: number
}

/** Where wires begin and end. Hovering it shows what the port holds. */
const Grip = memo(function Grip({ node, portId, side, top }: GripProps) {
  const { showPort } = useGraph()
  const port = node.ports[portId]
  const name =
    port && port.name !== port.nickName
      ? `${portLabel(node, portId)} (${port.name})`
      : portLabel(node, portId)
  return (
    <Handle
      id={portId}
      type={side === 'input' ? 'target' : 'source'}
      position={side === 'input' ? Position.Left : Position.Right}
      className={styles.grip}
      style={{ top, ['--port' as string]: portColour(port?.typeName ?? '') }}
      role="img"
      aria-label={`${side} ${name}${port ? `, ${port.typeName}` : ''}`}
      data-port={portId}
      onPointerEnter={({ currentTarget, buttons }) => {
        if (buttons === 0)
          showPort(
            { nodeInstanceId: node.instanceId, portInstanceId: portId },
            currentTarget.getBoundingClientRect(),
          )
      }}
      onPointerLeave={() => showPort(undefined)}
    />
  )
})

/** The colour of a port by the type of its data, so that kinds of data can be told apart at a glance. */
function portColour(typeName: string): string {
  return COLOURS[typeName] ?? '#8d979a'
}

const NUMBERS = '#3f8fd2'
const TEXTS = '#b0792e'
const SWITCHES = '#a4508b'
const PLACES = '#d05a4e'
const CURVES = '#7a58c1'
const BODIES = '#2a9f7a'

const COLOURS: Readonly<Record<string, string>> = {
  Number: NUMBERS,
  Integer: NUMBERS,
  Domain: NUMBERS,
  'Domain²': NUMBERS,
  Complex: NUMBERS,
  Text: TEXTS,
  'Data Path': TEXTS,
  Boolean: SWITCHES,
  Colour: SWITCHES,
  Point: PLACES,
  Vector: PLACES,
  Plane: PLACES,
  Line: CURVES,
  Circle: CURVES,
  Arc: CURVES,
  Rectangle: CURVES,
  Curve: CURVES,
  Surface: BODIES,
  Brep: BODIES,
  Mesh: BODIES,
  Box: BODIES,
  Geometry: BODIES,
}
