import { lazyDialog } from '../shell/dialog.tsx'

export const LazyShareDialog = lazyDialog(() => import('./share-dialog.tsx'), 'ShareDialog', 'Share')
