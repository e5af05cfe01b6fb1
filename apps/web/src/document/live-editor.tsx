import { Alert } from '@mantine/core'
import type { LiveDocument } from '@meadow/client/live'
import type { AppDocument } from '@meadow/contract/web'
import { Editor } from './editor.tsx'
import type { LiveSession } from './live-session.ts'
import { useObserved } from './observed.ts'
import { useLiveSession } from './use-live-session.ts'

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
  const { isConnected } = useObserved(live.standing)
  if (isConnected) return null
  return (
    <Alert color="orange" radius={0} py={6} role="status">
      No connection to the server.{' '}
      {live.mayEdit && 'Your edits are kept in this window, and sent as soon as there is one again.'}
    </Alert>
  )
}
