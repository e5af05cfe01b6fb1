import { Anchor, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, Suspense } from 'react'
import { ApiError } from '../api/call.ts'
import { findServiceAddress, isEmbedded } from '../api/public-path.ts'
import { meQuery } from '../api/queries.ts'
import { lazyPart } from '../shell/lazy-part.tsx'
import { useTitle } from '../shell/use-title.ts'

/** The 3D view, which is loaded beside the data while the inputs are shown already. */
const loadView = import('./player-view.tsx')
const PlayerView = lazyPart(() => loadView, 'PlayerView')

/** The 3D view, once it is loaded. */
export const LazyPlayerView = (props: ComponentProps<typeof PlayerView>) => (
  <Suspense fallback={<Waiting />}>
    <PlayerView {...props} />
  </Suspense>
)

export const Waiting = () => (
  <Center h="100%">
    <Loader aria-label="Loading the geometry" />
  </Center>
)

/** Whether an error says that a document is missing or not shared with the caller. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && [401, 404].includes(error.status)

/** Says that a document is not available, in the same words whether it is private, deleted or never existed. */
export function NotAvailable({ documentId, wasShown }: { documentId: string; wasShown: boolean }) {
  useTitle('Not available')
  const back = `/play/${documentId}${location.search}`
  const address = findServiceAddress()
  const me = useQuery({ ...meQuery, enabled: !isEmbedded() })
  return (
    <Stack component="main" align="center" justify="center" ta="center" mih="100dvh" p="md" gap="xs">
      <Title order={1} size="h3">
        {wasShown ? 'No longer shared' : 'Not available'}
      </Title>
      <Text c="dimmed" role="alert">
        There is no player at this address, or it is not shared with you.
      </Text>
      {isEmbedded() ? (
        <Anchor href={address + back} target="_blank" rel="noopener" size="sm">
          Open it in Meadow
        </Anchor>
      ) : me.isPending ? null : me.data ? (
        <Anchor href={`${address}/`} size="sm">
          Go to your documents
        </Anchor>
      ) : (
        <Anchor href={`${address}/sign-in?to=${encodeURIComponent(back)}`} size="sm">
          Sign in
        </Anchor>
      )}
    </Stack>
  )
}
