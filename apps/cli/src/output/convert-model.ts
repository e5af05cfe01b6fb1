import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BimInput, DocumentInput, Glb, Obj } from '@meadow/gltf'
import { CommandFailure } from '../failure.ts'

/** The input of a conversion. */
export interface ModelJob {
  format: 'glb' | 'obj'
  solution: BimInput
  /** The options of the conversion. `mtlName` is the name of the file with the materials of an OBJ file. */
  options: { document: DocumentInput; hidden: boolean; mtlName: string }
}

export type ConvertedModel = Glb | Obj

/**
 * Makes a model in another thread, so that Ctrl-C ends the command while that goes on. Throws the reason of the signal
 * when it aborts, and what the conversion throws.
 */
export async function convertModel(job: ModelJob, signal: AbortSignal): Promise<ConvertedModel> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./convert-model.worker.ts', import.meta.url), { workerData: job })
  try {
    const [model] = await Promise.race([
      once(worker, 'message', { signal }),
      once(worker, 'exit', { signal }).then(() => {
        throw new CommandFailure('The model was not made: the thread that makes it has ended.')
      }),
    ])
    return model as ConvertedModel
  } finally {
    await worker.terminate()
  }
}
