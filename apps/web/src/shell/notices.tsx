import { Affix, Alert, Stack } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { errorMessage } from '../api/call.ts'

interface Notice {
  key: number
  text: string
}

/** So many are shown: the newest. */
const MAX_SHOWN = 3

let notices: readonly Notice[] = []
let lastKey = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const tell of listeners) tell()
}

/** Tells of a failure that has no place of its own on the page. */
export function notify(error: unknown): void {
  change([...notices, { key: ++lastKey, text: errorMessage(error) }].slice(-MAX_SHOWN))
}

function listen(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** What {@link notify} told, until somebody has seen it. */
export function Notices() {
  const shown = useSyncExternalStore(listen, () => notices)
  return (
    <Affix position={{ bottom: 16, right: 16 }} maw="calc(100vw - 32px)">
      <Stack gap="xs" role="status">
        {shown.map(({ key, text }) => (
          <Alert
            key={key}
            color="red"
            variant="filled"
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => change(notices.filter((notice) => notice.key !== key))}
          >
            {text}
          </Alert>
        ))}
      </Stack>
    </Affix>
  )
}
