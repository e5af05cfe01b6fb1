import { Badge, Tooltip } from '@mantine/core'
import type { Visibility } from '@meadow/contract'
import { IconWorld } from '../shell/icons.ts'

/** Marks a document that anyone with its link can open. Renders nothing for a private one. */
export function PublicMark({ visibility }: { visibility: Visibility }) {
  if (visibility !== 'public') return null
  return (
    <Tooltip label="Anyone with the link can open it">
      <Badge
        component="span"
        variant="light"
        tt="none"
        fw={600}
        color="gray"
        size="sm"
        flex="none"
        leftSection={<IconWorld size={12} aria-hidden />}
      >
        Public
      </Badge>
    </Tooltip>
  )
}
