import type { EncodedGeometry } from '@meadow/contract'
import { hasObjectFrame } from '../opennurbs/encoded-geometry.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import type { LibraryWorker } from './library-worker.ts'
import type { Answered } from './requests.ts'

/** Small batches keep the deadline meaningful and the copies for the worker small. */
const BATCH = 100

/**
 * Requests a result for each object; null for objects that crash the library or exceed the deadline, and for
 * data that does not have the frame of an object. The others are requested again without the faulty one.
 */
export async function askForEach<N extends 'measure' | 'simplify' | 'sketch'>(
  worker: LibraryWorker,
  name: N,
  geometries: readonly EncodedGeometry[],
  deadlineMs: number,
): Promise<(Answered[N][number] | null)[]> {
  const answers: (Answered[N][number] | null)[] = geometries.map(() => null)
  const framed = geometries.flatMap((geometry, at) => (hasObjectFrame(geometry) ? [at] : []))
  for (let start = 0; start < framed.length; start += BATCH) {
    let indices = framed.slice(start, start + BATCH)
    while (indices.length > 0) {
      const asked = indices.map((at) => geometries[at]!)
      const progress = new Int32Array(new SharedArrayBuffer(4)).fill(-1)
      try {
        const answered = await worker.ask(name, { geometries: asked, progress }, deadlineMs)
        for (const [i, at] of indices.entries()) answers[at] = answered[i]!
        break
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error
        // If the worker has not started any, the next one would not either.
        const bad = Atomics.load(progress, 0)
        indices = bad < 0 ? [] : indices.toSpliced(bad, 1)
      }
    }
  }
  return answers
}
