import { Drawer } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { LazyShareDialog } from '../../sharing/lazy-share-dialog.tsx'
import { Failure } from '../../shell/failure.tsx'
import type { PlayerPanelProps } from './player-panel.tsx'

const NOT_LOADED = new ApiError(0, 'The panel cannot be shown: reload the page once the server answers.')

/** In a chunk of its own. The editor stays when the chunk cannot be loaded. */
const LoadedPanel = lazy(() =>
  import('./player-panel.tsx').then(
    ({ PlayerPanel }) => ({ default: PlayerPanel }),
    () => ({ default: NotLoaded }),
  ),
)

/** The panel of the player, which is loaded when it is opened first, and the Share dialog that it leads to. */
export function LazyPlayerPanel(props: Omit<PlayerPanelProps, 'onShare'>) {
  const [wasOpened, setWasOpened] = useState(false)
  const [isSharing, setIsSharing] = useState(false)
  if (props.isOpen && !wasOpened) setWasOpened(true)
  if (!wasOpened) return null
  const { id, name } = props.document
  return (
    <Suspense fallback={null}>
      <LoadedPanel
        {...props}
        onShare={() => {
          props.close()
          setIsSharing(true)
        }}
      />
      <LazyShareDialog documentId={id} name={name} isOpen={isSharing} close={() => setIsSharing(false)} />
    </Suspense>
  )
}

function NotLoaded({ isOpen, close }: PlayerPanelProps) {
  return (
    <Drawer opened={isOpen} onClose={close} title="Player" position="right">
      <Failure error={NOT_LOADED} />
    </Drawer>
  )
}
