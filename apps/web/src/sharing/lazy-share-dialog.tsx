import { lazyDialog } from '../shell/lazy-dialog.tsx'
import type { ShareDialogProps } from './share-dialog.tsx'

export const LazyShareDialog = lazyDialog<ShareDialogProps>('Share', async () =>
  import('./share-dialog.tsx').then(({ ShareDialog }) => ShareDialog),
)
