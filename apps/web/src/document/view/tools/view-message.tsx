import { Button, Stack, Text } from '@mantine/core'
import styles from '../model-view.module.css'
import type { ViewStatus } from '../viewer.ts'

interface ViewMessageProps {
  status: ViewStatus
  onShowAll: () => void
  onFit: () => void
}

/** Says why nothing of the geometry is to be seen, and what to do about it. */
export function ViewMessage({ status, onShowAll, onFit }: ViewMessageProps) {
  if (status.values === 0) return null
  if (status.visible === 0)
    return (
      <Stack align="center" gap="xs">
        <Text c="dimmed">All geometry is hidden</Text>
        <Button className={styles.act} size="xs" variant="default" onClick={onShowAll}>
          Show all
        </Button>
      </Stack>
    )
  if (status.isOutOfView)
    return (
      <Button className={styles.act} size="xs" variant="default" onClick={onFit}>
        Nothing is in view: fit
      </Button>
    )
  return null
}
