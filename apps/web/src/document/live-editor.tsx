import { Alert, Center, Loader } from '@mantine/core'
import type { AppDocument } from '@meadow/contract/web'
import { Failure } from '../shell/failure.tsx'
import { Editor } from './editor.tsx'
import { useLiveSession } from './use-live-session.ts'

/** A document that is open with everybody who edits it. */
export function LiveEditor({ document }: { document: AppDocument }) {
  const { session, content, problem, notice, dismiss } = useLiveSession(document)
  if (problem) return <Failure error={problem} retry={() => location.reload()} />
  if (!session || !content)
    return (
      <Center h="100dvh">
        <Loader aria-label="Opening the document" />
      </Center>
    )
  return (
    <>
      {notice && (
        <Alert color="orange" role="alert" withCloseButton onClose={dismiss}>
          {notice}
        </Alert>
      )}
      <Editor document={document} content={content} live={session} />
    </>
  )
}
