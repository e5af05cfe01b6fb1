import { lazyPart } from '../../shell/lazy-part.tsx'

// The pins are loaded when there are comments or somebody writes one.

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
