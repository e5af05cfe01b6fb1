import { Group, Paper, Text } from '@mantine/core'
import type { Node } from '@meadow/contract'
import type { NodeSummary } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useEffect } from 'react'
import { paletteQuery } from '../../../api/palette-query.ts'
import { KindIcon } from '../icons/kind-icon.tsx'
import { labelOf } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { describeNode } from '../properties/describe-node.ts'
import { describePort } from '../properties/describe-port.ts'
import styles from './card.module.css'
import type { ShownNode } from './use-node-card.ts'

const CARD = 'node-card'

export function NodeCard({ node, anchor, isFocused }: { node: Node } & Omit<ShownNode, 'nodeId'>) {
  const { solution, messages } = useGraph()
  const { data } = useQuery(paletteQuery)
  const kind = data?.kinds.find(({ templateId }) => templateId === node.templateId.toLowerCase())
  const { component, plugin, marks, inputs, outputs } = describeNode(node)
  const state = solution?.nodes[node.instanceId]?.state
  const { instanceId } = node
  // The node keeps the description that React Flow gives it.
  useEffect(() => {
    const element = document.querySelector(`.react-flow__node[data-id="${CSS.escape(instanceId)}"]`)
    const before = element?.getAttribute('aria-describedby') ?? ''
    element?.setAttribute('aria-describedby', `${CARD} ${before}`.trim())
    return () => element?.setAttribute('aria-describedby', before)
  }, [instanceId])
  const isHigh = anchor.bottom > innerHeight * 0.6
  return (
    <Paper
      id={CARD}
      role="tooltip"
      withBorder
      shadow="md"
      className={styles.card}
      style={{
        left: Math.max(8, Math.min(anchor.left, innerWidth - WIDTH)),
        ...(isHigh ? { bottom: innerHeight - anchor.top + 8 } : { top: anchor.bottom + 8 }),
      }}
    >
      <Group gap={8} wrap="nowrap" mb={2}>
        <KindIcon templateId={node.templateId} size={22} />
        <Text fw={600} size="sm">
          {labelOf(node)}
        </Text>
        {component && (
          <Text size="xs" c="dimmed">
            {component}
          </Text>
        )}
      </Group>
      {plugin && (
        <Text size="xs" c="dimmed">
          Of {plugin}
        </Text>
      )}
      {kind && <Text size="sm">{kind.description}</Text>}
      {[...marks, ...(state ? [STATES[state]] : [])].map((text) => (
        <Text key={text} size="xs" c="dimmed">
          {text}
        </Text>
      ))}
      {messages.get(instanceId)?.map(({ level, message }) => (
        <Text key={message} size="xs" c={level === 'error' ? 'red' : 'dimmed'}>
          {message}
        </Text>
      ))}
      {isFocused &&
        Object.entries({ Inputs: inputs, Outputs: outputs }).map(
          ([side, ports]) =>
            ports.length > 0 && (
              <Fragment key={side}>
                <div className={styles.side}>{side}</div>
                <dl className={styles.ports} aria-label={side}>
                  {ports.map(({ id, name, data, marks }) => (
                    <div key={id}>
                      <dt>
                        {name}
                        <span>{[data, ...marks].join(', ')}</span>
                      </dt>
                      <dd>{kind && describePort(kind, node, id)}</dd>
                    </div>
                  ))}
                </dl>
              </Fragment>
            ),
        )}
    </Paper>
  )
}

/** The width of the card with a margin, in CSS pixels. */
const WIDTH = 356

const STATES: Record<NonNullable<NodeSummary['state']>, string> = {
  solved: 'Solved',
  empty: 'Solved, without values',
  failed: 'Failed',
  disabled: 'Not solved while it is disabled',
  unsupported: 'Not solved by Meadow',
  unknown: 'Unknown: it depends on what Meadow does not solve',
}
