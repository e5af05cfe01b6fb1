import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useMatch, useSearchParams } from 'react-router'
import { ApiError } from '../api/call.ts'
import { findServiceAddress } from '../api/public-path.ts'
import { readEmbedPanes } from '../sharing/embed-code.ts'
import { Failure } from '../shell/failure.tsx'
import { useTitle } from '../shell/use-title.ts'
import { PageLoader, StaticEditor, useDocument } from './static-editor.tsx'

/** A public document in a frame of another page. It takes no edits and uses no session. */
export function EmbedPage() {
  const documentId = useMatch('/embed/:documentId')?.params.documentId ?? ''
  const [search] = useSearchParams()
  const query = useDocument(documentId)
  const document = query.data?.document
  useTitle(document?.name)
  if (query.error instanceof ApiError && query.error.status === 404)
    return <NotAvailable documentId={documentId} />
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  if (!document) return <PageLoader />
  return <StaticEditor document={document} embedded={readEmbedPanes(search.get('show'))} />
}

/** Says that a document is not available, in the same words whether it is private, deleted or never existed. */
function NotAvailable({ documentId }: { documentId: string }) {
  useTitle('Not available')
  return (
    <Stack component="main" align="center" justify="center" ta="center" mih="100dvh" p="md" gap="xs">
      <Title order={1} size="h3">
        Not available
      </Title>
      <Text c="dimmed" role="alert">
        This document does not exist, or it is not public.
      </Text>
      <Anchor
        href={`${findServiceAddress()}/documents/${documentId}`}
        target="_blank"
        rel="noopener"
        size="sm"
      >
        Open it in Meadow
      </Anchor>
    </Stack>
  )
}
