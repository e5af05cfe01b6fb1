import { useState } from 'react'
import { LazyShareDialog } from '../../sharing/lazy-share-dialog.tsx'
import { lazyDialog } from '../../shell/dialog.tsx'
import { useEditor } from '../state/store.ts'

const LoadedPanel = lazyDialog(() => import('./player-panel.tsx'), 'PlayerPanel', 'Player')

/** The panel of the player, which is loaded when it is opened first, and the Share dialog that it leads to. */
export function LazyPlayerPanel() {
  const { document, live, isPlayerOpen, setPlayerOpen } = useEditor()
  const [isSharing, setIsSharing] = useState(false)
  const { id, name } = document
  const close = () => setPlayerOpen(false)
  return (
    <>
      {live && (
        <LoadedPanel
          live={live}
          isOpen={isPlayerOpen}
          close={close}
          onShare={() => {
            close()
            setIsSharing(true)
          }}
        />
      )}
      <LazyShareDialog documentId={id} name={name} isOpen={isSharing} close={() => setIsSharing(false)} />
    </>
  )
}
