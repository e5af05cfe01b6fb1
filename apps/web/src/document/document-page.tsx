import { Alert, Center, Loader } from '@mantine/core'
import type { LiveDocument } from '@meadow/client/live'
import { type AppDocument, readAppGraph } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from 'react-router'
import { ApiError } from '../api/call.ts'
import { documentQuery, meQuery, queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useTitle } from '../shell/use-title.ts'
import { Editor } from './editor.tsx'
import { type LiveSession, useLiveDocument, useLiveSession } from './live/live-session.ts'
import { useObserved } from './live/observed.ts'

/** A document: live for members of its team, static for everybody else who may read it. */
export function DocumentPage() {
  const { documentId = '' } = useParams()
  return <DocumentView key={documentId} documentId={documentId} />
}

function DocumentView({ documentId }: { documentId: string }) {
  const { pathname, hash } = useLocation()
  const me = useQuery(meQuery)
  const query = useQuery(documentQuery(documentId))
  const document = query.data?.document
  // Opened before the document is read: most users who are signed in are members.
  const { live, problem } = useLiveDocument(documentId, Boolean(me.data))
  useTitle(document?.name)
  if (query.error instanceof ApiError && [401, 404].includes(query.error.status))
    return me.data ? (
      <NotFound what="document" />
    ) : (
      <Navigate to={`/sign-in?to=${encodeURIComponent(pathname + hash)}`} />
    )
  // Not when a later refetch fails: the document that was read stays open.
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  const isMember = Boolean(document?.role && me.data)
  if (isMember && problem) return <Failure error={problem} retry={() => location.reload()} />
  if (!document || me.isPending || (isMember && !live)) return <PageLoader />
  return live && isMember ? (
    <LiveEditor live={live} document={document} />
  ) : (
    <StaticEditor document={document} />
  )
}

/** The editor for members, with live collaboration. */
function LiveEditor({ live, document }: { live: LiveDocument; document: AppDocument }) {
  const { session, content, notice, dismiss } = useLiveSession(live, document)
  const notices = (
    <>
      <ConnectionNotice live={session} />
      {notice && (
        <Alert color="orange" radius={0} role="alert" withCloseButton onClose={dismiss}>
          {notice}
        </Alert>
      )}
    </>
  )
  return <Editor document={document} content={content} live={session} notices={notices} />
}

/** Shown while there is no connection. */
function ConnectionNotice({ live }: { live: LiveSession }) {
  const { isConnected } = useObserved(live.status)
  if (isConnected) return null
  return (
    <Alert color="orange" radius={0} py={6} role="status">
      No connection to the server.{' '}
      {live.mayEdit && 'Your edits are kept in this window, and sent as soon as there is one again.'}
    </Alert>
  )
}

/** The editor for readers of a public document, without a live connection. */
function StaticEditor({ document }: { document: AppDocument }) {
  const graph = useQuery(queryOf(readAppGraph, { params: [document.id] }))
  if (graph.isError) return <Failure error={graph.error} retry={graph.refetch} />
  if (!graph.data) return <PageLoader />
  return <Editor document={document} content={graph.data.graph} />
}

function PageLoader() {
  return (
    <Center h="100dvh">
      <Loader aria-label="Loading" />
    </Center>
  )
}
