import { type ModelLibrary, openModelLibrary } from './worker/model-library.ts'

/** Tells the extent of openNURBS objects, which only the library can read. */
export type GeometryMeasurer = Pick<ModelLibrary, 'measure' | typeof Symbol.asyncDispose>

/** Starts the library when it is first needed, in a worker that is ended when something goes wrong in it. */
export function openGeometryMeasurer(deadlineMs?: number): GeometryMeasurer {
  return openModelLibrary(deadlineMs)
}
