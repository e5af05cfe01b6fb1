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

/** A document: edited live by members, looked at by whoever else may. */
export function DocumentPage() {
  const { documentId = '' } = useParams()
  return <OneDocument key={documentId} documentId={documentId} />
}

function OneDocument({ documentId }: { documentId: string }) {
  const { pathname } = useLocation()
  const me = useQuery(meQuery)
  const answer = useQuery(documentQuery(documentId))
  const document = answer.data?.document
  // Not waiting for the answer: most who are signed in are members.
  const { live, problem } = useLiveDocument(documentId, Boolean(me.data))
  useTitle(document?.name)
  if (answer.error instanceof ApiError && [401, 404].includes(answer.error.status))
    // Whoever is signed in and does not find it is no member.
    return me.data ? (
      <NotFound what="document" />
    ) : (
      <Navigate to={`/sign-in?to=${encodeURIComponent(pathname)}`} />
    )
  // One that cannot be read again is still the one that is open.
  if (answer.isLoadingError) return <Failure error={answer.error} retry={answer.refetch} />
  const isMember = Boolean(document?.role && me.data)
  if (isMember && problem) return <Failure error={problem} retry={() => location.reload()} />
  if (!document || me.isPending || (isMember && !live))
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return live && isMember ? (
    <LiveEditor live={live} document={document} />
  ) : (
    <StaticEditor document={document} />
  )
}

/** A document that is open with everybody who edits it. */
export function LiveEditor({ live, document }: { live: LiveDocument; document: AppDocument }) {
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

/** Says that there is no connection for as long as there is none. */
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

/** For visitors of a public document, who have no live connection. */
export function StaticEditor({ document }: { document: AppDocument }) {
  const graph = useQuery(queryOf(readAppGraph, { params: [document.id] }))
  if (graph.isError) return <Failure error={graph.error} retry={graph.refetch} />
  if (!graph.data)
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return <Editor document={document} content={graph.data.graph} />
}
