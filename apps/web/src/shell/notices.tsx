import { Affix, Alert, Stack } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { errorMessage } from '../api/call.ts'

interface Notice {
  key: number
  text: string
}

/** The number of notices that are shown; older ones are dropped. */
const MAX_SHOWN = 3

let notices: readonly Notice[] = []
let lastKey = 0
const listeners = new Set<() => void>()

function setNotices(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Shows an error that belongs to no part of the page. */
export const notify = (error: unknown): void => notifyText(errorMessage(error))

/** Shows a sentence of this page that belongs to no part of it. */
export function notifyText(text: string): void {
  const others = notices.filter((notice) => notice.text !== text)
  setNotices([...others, { key: ++lastKey, text }].slice(-MAX_SHOWN))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The errors of {@link notify}, until the user dismisses them. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <Affix position={{ top: 64, right: 16 }} maw="calc(100vw - 32px)">
      <Stack gap="xs" role="status">
        {shown.map(({ key, text }) => (
          <Alert
            key={key}
            color="red"
            variant="filled"
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => setNotices(notices.filter((notice) => notice.key !== key))}
          >
            {text}
          </Alert>
        ))}
      </Stack>
    </Affix>
  )
}
