import { Modal } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ApiError } from '../api/call.ts'
import type { UploadComparison, UploadDiffDialogProps } from '../folders/upload-comparison.ts'
import { Failure } from '../shell/failure.tsx'

// A browser does not request a module again that failed to load.
const NOT_LOADED = new ApiError(0, 'The comparison cannot be shown: reload the page once the server answers.')

/** In a chunk of its own, with the canvas. */
const LoadedDialog = lazy(() =>
  import('./upload-diff-dialog.tsx').then(
    ({ UploadDiffDialog }) => ({ default: UploadDiffDialog }),
    () => ({ default: NotLoaded }),
  ),
)

function NotLoaded({ isOpen, close, name }: UploadDiffDialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={name}>
      <Failure error={NOT_LOADED} />
    </Modal>
  )
}

function LazyDiffDialog(props: UploadDiffDialogProps) {
  return (
    <Suspense fallback={null}>
      <LoadedDialog {...props} />
    </Suspense>
  )
}

/** What the lists of uploads compare with. */
export const uploadComparison: UploadComparison = { DiffDialog: LazyDiffDialog }
