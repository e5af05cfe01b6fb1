import { lazyPart, notLoaded } from '../../shell/lazy-part.tsx'

// The parts for comments are loaded when there are comments or somebody writes one.

export const LazyCommentsPanel = lazyPart(
  () => import('./comments-panel.tsx'),
  'CommentsPanel',
  notLoaded('The comments'),
)

export const LazyGraphPins = lazyPart(
  () => import('./graph-pins.tsx'),
  'GraphPins',
  () => null,
)

export const LazyModelPins = lazyPart(
  () => import('./model-pins.tsx'),
  'ModelPins',
  () => null,
)
