import type { EncodedGeometry } from '@meadow/contract'
import { ModelFault } from '../model-fault.ts'
import { hasObjectFrame } from '../opennurbs/encoded-geometry.ts'
import type { LibraryWorker } from './library-worker.ts'
import type { Answered } from './requests.ts'

/** So that the deadline is one for little work, and that copies on the way to the worker stay small. */
const BATCH = 100

/**
 * An answer for each object; null for those that break the library or keep it busy past the deadline, and for what
 * does not even look like an object. The others are asked for again without the one that did.
 */
export async function askForEach<N extends 'measure' | 'simplify'>(
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
        // Where the worker did not get to any, the next would not either.
        const bad = Atomics.load(progress, 0)
        indices = bad < 0 ? [] : indices.toSpliced(bad, 1)
      }
    }
  }
  return answers
}
