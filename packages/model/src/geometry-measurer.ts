import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { EncodedGeometry } from '@meadow/contract'
import type { BoundingBox, MeasureAnswer, MeasureRequest } from './measure-request.ts'

/** The library takes milliseconds for real objects; some broken ones keep it busy for minutes. */
const DEADLINE_MS = 10_000

/** Tells the extent of openNURBS objects, which only the library can read. */
export interface GeometryMeasurer extends AsyncDisposable {
  /**
   * The bounding box of each object in the document's unit, null where it has none or cannot be read.
   * An object that breaks the library or keeps it busy past the deadline costs no one else's answer.
   */
  measure(geometries: readonly EncodedGeometry[]): Promise<(BoundingBox | null)[]>
}

/** Starts the library when it is first needed, in a worker that is ended when something goes wrong in it. */
export function openGeometryMeasurer(deadlineMs = DEADLINE_MS): GeometryMeasurer {
  let worker: Worker | undefined

  async function ask(geometries: EncodedGeometry[]): Promise<(BoundingBox | null)[] | undefined> {
    worker ??= await startWorker()
    const asked = worker
    asked.postMessage({ geometries } satisfies MeasureRequest)
    const answer = await nextAnswer(asked, deadlineMs)
    if (answer && 'boundingBoxes' in answer) return answer.boundingBoxes
    await asked.terminate()
    worker = undefined
    return undefined
  }

  return {
    async measure(geometries) {
      if (geometries.length === 0) return []
      const together = await ask([...geometries])
      if (together) return together
      if (geometries.length === 1) return [null]
      // One of them is bad: halve until it stands alone.
      const middle = geometries.length >> 1
      const first = await this.measure(geometries.slice(0, middle))
      return [...first, ...(await this.measure(geometries.slice(middle)))]
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate()
    },
  }
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('./measure.worker.ts', import.meta.url), {
    // The library prints when it gives up; the answer tells that already.
    stderr: true,
    stdout: true,
  })
  await once(worker, 'online')
  worker.unref()
  return worker
}

/** What the worker says next, or undefined when it dies or does not answer in time. */
function nextAnswer(worker: Worker, deadlineMs: number): Promise<MeasureAnswer | undefined> {
  return new Promise((resolve) => {
    const end = (answer: MeasureAnswer | undefined) => {
      clearTimeout(timer)
      worker.off('message', end).off('error', fail).off('exit', fail)
      resolve(answer)
    }
    const fail = () => end(undefined)
    const timer = setTimeout(fail, deadlineMs)
    worker.on('message', end).on('error', fail).on('exit', fail)
  })
}
