import { Alert, Anchor, Stack, Text, Title } from '@mantine/core'
import type { LiveDocument } from '@meadow/client/live'
import { type AppDocument, markOpened } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import type { Transaction } from 'yjs'
import { ApiError, call } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useFolderDrop } from '../shell/upload-queue.ts'
import { useTitle } from '../shell/use-title.ts'
import { Editor } from './editor.tsx'
import { type LiveSession, useLiveDocument, useLiveSession } from './live/live-session.ts'
import { useObserved } from './live/observed.ts'
import { PageLoader, StaticEditor, useDocument } from './static-editor.tsx'

/** A document: live for members of its team, static for everybody else who may read it. */
export function DocumentPage() {
  const { documentId = '' } = useParams()
  return <DocumentView key={documentId} documentId={documentId} />
}

function DocumentView({ documentId }: { documentId: string }) {
  const me = useQuery(meQuery)
  const query = useDocument(documentId)
  const document = query.data?.document
  // The connection is opened before the document is read, because most users who are signed in are members.
  const { live, problem } = useLiveDocument(documentId, Boolean(me.data))
  useTitle(document?.name)
  const isMember = Boolean(document?.role && me.data)
  useEffect(() => {
    // The list of recents is of no use to whoever works on the document.
    if (isMember) void call(markOpened, { params: [documentId] }).catch(() => {})
  }, [isMember, documentId])
  if (!me.isPending && query.error instanceof ApiError && [401, 404].includes(query.error.status))
    return <NoAccess isSignedIn={me.data !== null} wasShown={document !== undefined} />
  // When a later refetch fails, the document that was read stays open.
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  if (isMember && problem) return <Failure error={problem} retry={() => location.reload()} />
  if (!document || me.isPending || (isMember && !live)) return <PageLoader />
  return live && isMember ? (
    <LiveEditor live={live} document={document} />
  ) : (
    <StaticEditor document={document} />
  )
}

/** Shown in place of a document that does not exist, or that the user may not see or may no longer see. */
function NoAccess({ isSignedIn, wasShown }: { isSignedIn: boolean; wasShown: boolean }) {
  const { pathname, search, hash } = useLocation()
  const signIn = `/sign-in?to=${encodeURIComponent(pathname + search + hash)}`
  if (isSignedIn) return <NotFound what="document" />
  return wasShown ? <NoLongerShared signIn={signIn} /> : <Navigate to={signIn} />
}

/** Shown to visitors who had the document open when it was no longer shared. */
function NoLongerShared({ signIn }: { signIn: string }) {
  useTitle('No longer shared')
  return (
    <Stack component="main" align="center" ta="center" py="xl" px="md" gap="xs">
      <Title order={1} size="h2">
        No longer shared
      </Title>
      <Text c="dimmed" role="alert">
        This document is not public any more, or it was deleted.
      </Text>
      <Anchor component={Link} to={signIn}>
        Sign in
      </Anchor>
    </Stack>
  )
}

/** The editor for members, with live collaboration. */
function LiveEditor({ live, document }: { live: LiveDocument; document: AppDocument }) {
  const { session, content, notice, dismiss } = useLiveSession(live, document)
  useFolderDrop(document.role === 'viewer' ? undefined : document.path.at(-1))
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
  useEffect(() => (isConnected ? undefined : askBeforeLeaving(live)), [isConnected, live])
  if (isConnected) return null
  return (
    <Alert color="orange" radius={0} py={6} role="status">
      No connection to the server.{' '}
      {live.mayEdit && 'Your edits are kept in this window, and saved when the connection is back.'}
    </Alert>
  )
}

/**
 * Has the browser ask before it closes or reloads the page, from the next edit on. Returns a function that ends this.
 */
function askBeforeLeaving({ doc }: LiveSession): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  const listen = (_update: Uint8Array, _origin: unknown, _doc: unknown, { local }: Transaction) => {
    if (local) addEventListener('beforeunload', ask)
  }
  doc.on('update', listen)
  return () => {
    doc.off('update', listen)
    removeEventListener('beforeunload', ask)
  }
}
