import type { Node } from '@meadow/contract'
import { Handle, Position } from '@xyflow/react'
import { memo } from 'react'
import { useGraph } from '../graph-context.ts'
import { portLabel } from '../node-shape.ts'
import { portColour } from '../port-colour.ts'
import styles from './nodes.module.css'

interface GripProps {
  node: Node
  portId: string
  side: 'input' | 'output'
  /** From the upper edge of the node. */
  top: number
}

/** Where wires begin and end. Hovering it shows what the port holds. */
export const Grip = memo(function Grip({ node, portId, side, top }: GripProps) {
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
