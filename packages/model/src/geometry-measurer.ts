import { type ModelLibrary, openModelLibrary } from './worker/model-library.ts'

/** Measures the bounding boxes of openNURBS objects, which requires the library. */
export type GeometryMeasurer = Pick<ModelLibrary, 'measure' | typeof Symbol.asyncDispose>

/** Starts the library on first use, in a worker that is ended on errors. */
export function openGeometryMeasurer(deadlineMs?: number): GeometryMeasurer {
  return openModelLibrary(deadlineMs)
}
