import { type ComponentType, lazy } from 'react'
import { ApiError } from '../../api/call.ts'
import { Failure } from '../../shell/failure.tsx'
import type { CommentsPanelProps } from './comments-panel.tsx'
import type { GraphPinsProps } from './graph-pins.tsx'
import type { ModelPinsProps } from './model-pins.tsx'

// A browser does not request a module again that failed to load.
const NOT_LOADED = new ApiError(0, 'The comments cannot be shown: reload the page once the server answers.')

/**
 * The parts for comments are in chunks of their own, which are loaded when there are comments or somebody writes one.
 */
export const LazyCommentsPanel = lazy(
  async (): Promise<{ default: ComponentType<CommentsPanelProps> }> =>
    import('./comments-panel.tsx').then(
      ({ CommentsPanel }) => ({ default: CommentsPanel }),
      () => ({ default: () => <Failure error={NOT_LOADED} /> }),
    ),
)

export const LazyGraphPins = lazy(
  async (): Promise<{ default: ComponentType<GraphPinsProps> }> =>
    import('./graph-pins.tsx').then(
      ({ GraphPins }) => ({ default: GraphPins }),
      () => ({ default: () => null }),
    ),
)

export const LazyModelPins = lazy(
  async (): Promise<{ default: ComponentType<ModelPinsProps> }> =>
    import('./model-pins.tsx').then(
      ({ ModelPins }) => ({ default: ModelPins }),
      () => ({ default: () => null }),
    ),
)
