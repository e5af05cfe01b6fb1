import { lazyDialog } from '../shell/lazy-dialog.tsx'

export const LazyShareDialog = lazyDialog(() => import('./share-dialog.tsx'), 'ShareDialog', 'Share')
