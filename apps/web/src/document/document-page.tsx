import { Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { meQuery } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useTitle } from '../shell/use-title.ts'
import { documentQuery } from './document-query.ts'
import { LiveEditor } from './live-editor.tsx'
import { StaticEditor } from './static-editor.tsx'
import { useLiveDocument } from './use-live-document.ts'

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
