import { Button, Loader, Stack, Text } from '@mantine/core'
import { type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** The time after which a page says that it still waits, in milliseconds. */
const LONG_MS = 10_000

/** Shown while a page has not been read. When that takes long it says so, and can ask the server again. */
export function Loading() {
  const client = useQueryClient()
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = isLong ? undefined : setTimeout(() => setIsLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [isLong])
  async function askAgain() {
    setIsLong(false)
    const unanswered = {
      type: 'active',
      predicate: ({ state }) => state.status === 'pending',
    } satisfies QueryFilters
    // A part of the app itself is on its way.
    if (client.getQueryCache().findAll(unanswered).length === 0) return location.reload()
    await client.cancelQueries(unanswered)
    await client.refetchQueries(unanswered)
  }
  return (
    <Stack align="start" role="status">
      <Loader aria-label="Loading" />
      {isLong && (
        <>
          <Text>The server has not answered yet.</Text>
          <Button size="xs" variant="light" onClick={() => void askAgain()}>
            Try again
          </Button>
        </>
      )}
    </Stack>
  )
}
