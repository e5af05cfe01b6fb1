import { Badge, Popover, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { useState } from 'react'
import { useReveal } from '../graph/canvas/viewport.ts'
import { labelOf } from '../graph/layout/node-box.ts'
import styles from './message-list.module.css'

const LEVELS = [
  { level: 'error', one: 'error', many: 'errors', color: 'red' },
  { level: 'warning', one: 'warning', many: 'warnings', color: 'orange' },
  { level: 'remark', one: 'remark', many: 'remarks', color: 'gray' },
] as const

/** Longer lists are cut off. */
const MAX_SHOWN = 200

interface MessageListProps {
  content: GraphContent
  solution: EditorSolution | undefined
  /** Selects the node that a message is about. */
  onChoose: (nodeId: string) => void
}

/** The messages of the solution by severity: the worst first. Renders nothing without messages. */
export function MessageList({ content, solution, onChoose }: MessageListProps) {
  const [isOpen, setIsOpen] = useState(false)
  const reveal = useReveal()
  const messages = (solution?.messages ?? []).filter(({ nodeInstanceId }) => content.nodes[nodeInstanceId])
  const byLevel = LEVELS.map((kind) => ({
    ...kind,
    found: messages.filter(({ level }) => level === kind.level),
  }))
  const worst = byLevel.find(({ found }) => found.length > 0)
  if (!worst) return null
  const sorted = byLevel.flatMap(({ found, color }) => found.map((message) => ({ ...message, color })))
  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={380} position="bottom-start" trapFocus withinPortal>
      <Popover.Target>
        <UnstyledButton display="flex" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <Badge variant="light" color={worst.color} className={styles.badge}>
            {worst.found.length} {worst.found.length === 1 ? worst.one : worst.many}
          </Badge>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label="Messages of the solve">
        <ScrollArea.Autosize mah={360} type="auto">
          {sorted.slice(0, MAX_SHOWN).map(({ nodeInstanceId, level, message, color }, index) => (
            <UnstyledButton
              // biome-ignore lint/suspicious/noArrayIndexKey: a node may have the same message twice.
              key={index}
              className={styles.message}
              onClick={() => {
                onChoose(nodeInstanceId)
                reveal(content.nodes[nodeInstanceId]!)
              }}
            >
              <Badge size="xs" variant="light" color={color} mr={6}>
                {level}
              </Badge>
              <Text span size="sm" fw={600}>
                {labelOf(content.nodes[nodeInstanceId]!)}
              </Text>
              <Text size="sm">{message}</Text>
            </UnstyledButton>
          ))}
          {sorted.length > MAX_SHOWN && (
            <Text size="xs" c="dimmed" p={8}>
              {`And ${sorted.length - MAX_SHOWN} more.`}
            </Text>
          )}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
