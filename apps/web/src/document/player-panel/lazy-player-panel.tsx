import { useState } from 'react'
import { LazyShareDialog } from '../../sharing/lazy-share-dialog.tsx'
import { lazyDialog } from '../../shell/lazy-dialog.tsx'
import type { PlayerPanelProps } from './player-panel.tsx'

const LoadedPanel = lazyDialog(() => import('./player-panel.tsx'), 'PlayerPanel', 'Player')

/** The panel of the player, which is loaded when it is opened first, and the Share dialog that it leads to. */
export function LazyPlayerPanel(props: Omit<PlayerPanelProps, 'onShare'>) {
  const [isSharing, setIsSharing] = useState(false)
  const { id, name } = props.document
  return (
    <>
      <LoadedPanel
        {...props}
        onShare={() => {
          props.close()
          setIsSharing(true)
        }}
      />
      <LazyShareDialog documentId={id} name={name} isOpen={isSharing} close={() => setIsSharing(false)} />
    </>
  )
}
