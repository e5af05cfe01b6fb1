import { Center, Loader } from '@mantine/core'
import { readAppDocument } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from 'react-router'
import { meQuery, queryOf } from '../api/queries.ts'
import { Refusal } from '../api/refusal.ts'
import { Failure } from '../shell/failure.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useTitle } from '../shell/use-title.ts'
import { LiveEditor } from './live-editor.tsx'
import { StaticEditor } from './static-editor.tsx'

/** A document: edited live by members, looked at by whoever else may. */
export function DocumentPage() {
  const { documentId = '' } = useParams()
  const { pathname } = useLocation()
  const me = useQuery(meQuery)
  const answer = useQuery(queryOf(readAppDocument, { params: [documentId] }))
  const document = answer.data?.document
  useTitle(document?.name)
  if (answer.error instanceof Refusal && [401, 404].includes(answer.error.status))
    // Whoever is signed in and does not find it is no member.
    return me.data ? (
      <NotFound what="document" />
    ) : (
      <Navigate to={`/sign-in?to=${encodeURIComponent(pathname)}`} />
    )
  if (answer.isError) return <Failure error={answer.error} retry={answer.refetch} />
  if (!document || me.isPending)
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return document.role && me.data ? (
    <LiveEditor key={documentId} document={document} />
  ) : (
    <StaticEditor document={document} />
  )
}
