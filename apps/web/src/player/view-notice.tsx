import { Button, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { IconAlertTriangle } from '../shell/icons.ts'
import styles from './player.module.css'
import type { Player } from './use-player.ts'

/** What is seen, where it is not what the inputs give. */
export const SEEN: Record<Player['seen'], string> = {
  nothing: '',
  stored: 'What you see is the stored solution.',
  preview: 'What you see is of earlier values.',
}

/** The shortest time of computing that is worth a word, in milliseconds. */
const QUICK_MS = 250

/** A line over the 3D view while what is seen is not what the inputs give: why, and what to do about it. */
export function ViewNotice({ player }: { player: Player }) {
  const { running, trouble, isCurrent, seen } = player
  const waitedMs = useWaited(running?.since)
  if (isCurrent) return null
  if (running && waitedMs < QUICK_MS) return null
  return (
    <div className={styles.state} role="status">
      {running ? (
        <Loader size={16} role="presentation" />
      ) : (
        <IconAlertTriangle size={18} aria-hidden className={styles.warning} />
      )}
      <Text size="sm" component="span" className={styles.words ?? ''}>
        {running ? `Computing … ${Math.floor(waitedMs / 1000)} s. ` : `${describeTrouble(trouble)} `}
        {(!running || waitedMs > 2000) && SEEN[seen]}
      </Text>
      {running && waitedMs > 1000 && (
        <Button size="compact-sm" variant="default" onClick={player.stop}>
          Stop
        </Button>
      )}
      {!running && trouble && (
        <Button size="compact-sm" variant="default" onClick={player.reset}>
          Reset the inputs
        </Button>
      )}
    </div>
  )
}

function describeTrouble(trouble: Player['trouble']): string {
  switch (trouble) {
    case 'content':
      return 'This document has parts that only the server can compute, so new values cannot be shown here.'
    case 'size':
      return 'This is too much to compute in the browser.'
    case 'cyclic':
      return 'The graph runs in a circle and cannot be computed.'
    case 'stopped':
      return 'Stopped before it was computed.'
    default:
      return 'The values could not be computed in this browser.'
  }
}

/** How long ago something began, in milliseconds, while it goes on. */
function useWaited(since: number | undefined): number {
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (since === undefined) return undefined
    const tick = () => setNow(performance.now())
    tick()
    const timer = setInterval(tick, QUICK_MS)
    return () => clearInterval(timer)
  }, [since])
  return since === undefined ? 0 : Math.max(0, now - since)
}
