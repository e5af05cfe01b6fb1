import { Badge, Popover, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import { describeCause, readUnsolvable } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useReveal } from '../graph/canvas/viewport.ts'
import styles from './message-list.module.css'

/** Longer lists are cut off. */
const MAX_SHOWN = 200

interface UnsolvableListProps {
  documentId: string
  content: GraphContent
  /** The list is read again with each solution. */
  solutionId: string | undefined
  /** Selects a node. */
  onChoose: (nodeId: string) => void
}

/** What of the document cannot be solved here, by reason. Renders nothing if there is nothing. */
export function UnsolvableList({ documentId, content, solutionId, onChoose }: UnsolvableListProps) {
  const [isOpen, setIsOpen] = useState(false)
  const reveal = useReveal()
  const { queryKey, ...query } = queryOf(readUnsolvable, { params: [documentId] })
  const { data } = useQuery({
    ...query,
    queryKey: [...queryKey, solutionId],
    placeholderData: (last) => last,
    staleTime: 60_000,
  })
  const nodes = (data?.unsolvable ?? []).filter(({ nodeInstanceId }) => content.nodes[nodeInstanceId])
  if (nodes.length === 0) return null
  const groups = [...Map.groupBy(nodes.slice(0, MAX_SHOWN), describeCause)]
  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={380} position="bottom-start" trapFocus withinPortal>
      <Popover.Target>
        <UnstyledButton display="flex" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <Badge variant="light" color="violet" className={styles.badge}>
            {`${nodes.length} not supported`}
          </Badge>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Text size="sm" fw={600} p={8}>
          Cannot be solved here
        </Text>
        <ScrollArea.Autosize mah={360} type="auto">
          {groups.map(([reason, ofReason]) => (
            <section key={reason} aria-label={reason}>
              <Text size="xs" c="dimmed" px={8} pt={6} className={styles.reason}>
                {reason}
              </Text>
              {ofReason.map(({ nodeInstanceId, name, cluster }, index) => (
                <UnstyledButton
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cluster may hold several nodes of one name.
                  key={index}
                  className={styles.message}
                  onClick={() => {
                    onChoose(nodeInstanceId)
                    reveal(content.nodes[nodeInstanceId]!)
                  }}
                >
                  <Text span size="sm">
                    {name}
                  </Text>
                  {cluster !== undefined && (
                    <Text span size="sm" c="dimmed">{` in the cluster ${cluster}`}</Text>
                  )}
                </UnstyledButton>
              ))}
            </section>
          ))}
          {nodes.length > MAX_SHOWN && (
            <Text size="xs" c="dimmed" p={8}>
              {`And ${nodes.length - MAX_SHOWN} more.`}
            </Text>
          )}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
