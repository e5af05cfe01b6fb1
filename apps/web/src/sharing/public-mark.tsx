import { Badge, Tooltip } from '@mantine/core'
import type { Sharing } from '@meadow/contract/web'
import { IconWorld } from '../shell/icons.ts'

/** How documents are marked that others than the team can open. */
export const SHARED_MARKS = {
  player: { name: 'Player', title: 'Anyone with the link can open its player' },
  public: { name: 'Public', title: 'Anyone with the link can open it' },
}

/** Marks a document that anyone with its link can open, or its player. Renders nothing for a private one. */
export function PublicMark({ visibility }: { visibility: Sharing }) {
  if (visibility === 'private') return null
  const { name, title } = SHARED_MARKS[visibility]
  return (
    <Tooltip label={title}>
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
        {name}
      </Badge>
    </Tooltip>
  )
}
