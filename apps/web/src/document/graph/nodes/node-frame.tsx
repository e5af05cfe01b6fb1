import type { Node } from '@meadow/contract'
import type { NodeSummary } from '@meadow/contract/web'
import { Handle, Position } from '@xyflow/react'
import { memo, type ReactNode } from 'react'
import {
  IconAlertTriangle,
  IconCircleX,
  IconHelpCircle,
  IconInfoCircle,
  IconPinFilled,
} from '../../../shell/icons.ts'
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

/** The box of a node, with its ports, its state as data attributes, and its messages and duration in the solution. */
export function NodeFrame({ node, isSelected, className, children }: NodeFrameProps) {
  const { messages, pinnedIds, solution } = useGraph()
  const { inputs, outputs, width, height } = boxOf(node)
  const own = messages.get(node.instanceId) ?? []
  const worst = LEVELS.find((level) => own.some((message) => message.level === level))
  const { durationMs, state } = solution?.nodes[node.instanceId] ?? {}
  return (
    <div
      className={`${styles.node} ${className ?? ''}`}
      style={{ width, height }}
      data-level={worst}
      data-state={state}
      data-selected={isSelected || undefined}
      data-disabled={!node.status.isEnabled || undefined}
      data-hidden={!node.status.isPreviewed || undefined}
    >
      {children}
      {inputs.map(({ id, y }) => (
        <PortHandle key={id} node={node} portId={id} side="input" top={y} />
      ))}
      {outputs.map(({ id, y }) => (
        <PortHandle key={id} node={node} portId={id} side="output" top={y} />
      ))}
      {pinnedIds.has(node.instanceId) && (
        <span
          className={styles.pin}
          role="img"
          aria-label="pinned to the player"
          title="Pinned to the player"
        >
          <IconPinFilled size={12} aria-hidden />
        </span>
      )}
      {worst && <Balloon level={worst} state={state} messages={own} />}
      {durationMs !== undefined && durationMs >= MIN_SHOWN_MS && (
        <span className={styles.duration}>{formatDuration(durationMs)}</span>
      )}
    </div>
  )
}

/** The shortest duration that is shown, in milliseconds. */
const MIN_SHOWN_MS = 10

export const formatDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`

interface BalloonProps {
  level: NodeMessage['level']
  state: NodeSummary['state']
  messages: readonly NodeMessage[]
}

function Balloon({ level, state, messages }: BalloonProps) {
  const isUnsolved = state === 'unsupported' || state === 'unknown'
  const Icon = isUnsolved ? IconHelpCircle : SYMBOLS[level]
  const text = messages.map(({ message }) => message).join('\n')
  return (
    <span
      className={styles.balloon}
      data-level={level}
      data-state={state}
      role="img"
      aria-label={`${isUnsolved ? state : level}: ${text}`}
      title={text}
    >
      <Icon size={14} aria-hidden />
    </span>
  )
}

interface PortHandleProps {
  node: Node
  portId: string
  side: 'input' | 'output'
  /** Distance from the upper edge of the node. */
  top: number
}

/** The handle of a port, where wires start and end. Hovering it shows the port's data. */
const PortHandle = memo(function PortHandle({ node, portId, side, top }: PortHandleProps) {
  const { showPort, closePort } = useGraph()
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
      style={{ top, ['--port' as string]: PORT_COLOURS[port?.typeName ?? ''] ?? OTHER_COLOUR }}
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
      onPointerDown={closePort}
      // A finger does not hover: a tap shows the data, until the next tap elsewhere.
      onPointerUp={({ currentTarget, pointerType }) => {
        if (pointerType === 'touch')
          showPort(
            { nodeInstanceId: node.instanceId, portInstanceId: portId },
            currentTarget.getBoundingClientRect(),
          )
      }}
      onPointerLeave={({ pointerType }) => {
        if (pointerType !== 'touch') showPort(undefined)
      }}
    />
  )
})

const OTHER_COLOUR = '#8d979a'
const NUMBERS = '#3f8fd2'
const TEXTS = '#b0792e'
const SWITCHES = '#a4508b'
const POINTS = '#d05a4e'
const CURVES = '#7a58c1'
const BODIES = '#2a9f7a'

/** The colours of ports by the type of their data. */
const PORT_COLOURS: Readonly<Record<string, string>> = {
  Number: NUMBERS,
  Integer: NUMBERS,
  Domain: NUMBERS,
  'Domain²': NUMBERS,
  Complex: NUMBERS,
  Text: TEXTS,
  'Data Path': TEXTS,
  Boolean: SWITCHES,
  Colour: SWITCHES,
  Point: POINTS,
  Vector: POINTS,
  Plane: POINTS,
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
