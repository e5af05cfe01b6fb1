import { Modal } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { ApiError } from '../api/call.ts'
import { Failure } from '../shell/failure.tsx'
import type { ShareDialogProps } from './share-dialog.tsx'

// A browser does not request a module again that failed to load.
const NOT_LOADED = new ApiError(0, 'The dialog cannot be shown: reload the page once the server answers.')

/** In a chunk of its own. The page around the dialog stays when the chunk cannot be loaded. */
const LoadedDialog = lazy(() =>
  import('./share-dialog.tsx').then(
    ({ ShareDialog }) => ({ default: ShareDialog }),
    () => ({ default: NotLoaded }),
  ),
)

/** The share dialog, which is loaded when it is opened first. */
export function LazyShareDialog(props: ShareDialogProps) {
  const [wasOpened, setWasOpened] = useState(false)
  if (props.isOpen && !wasOpened) setWasOpened(true)
  if (!wasOpened) return null
  return (
    <Suspense fallback={null}>
      <LoadedDialog {...props} />
    </Suspense>
  )
}

function NotLoaded({ isOpen, close }: ShareDialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Share">
      <Failure error={NOT_LOADED} />
    </Modal>
  )
}
