import { type ComponentType, lazy } from 'react'
import { ApiError } from '../api/api-error.ts'
import { Failure } from '../shell/failure.tsx'
import type { ModelViewProps } from './view/model-view.tsx'

// A browser does not ask again for a module that it did not get.
const NOT_LOADED = new ApiError(0, 'The geometry cannot be shown: reload the page once the server answers.')

/**
 * The geometry, whose code the graph does not wait for. Without that code the rest of the page goes on, with what was
 * edited and is not on the server yet.
 */
export const LazyModelView = lazy(
  async (): Promise<{ default: ComponentType<ModelViewProps> }> =>
    import('./view/model-view.tsx').then(
      ({ ModelView }) => ({ default: ModelView }),
      () => ({ default: () => <Failure error={NOT_LOADED} /> }),
    ),
)
