import type { BlobStore, Digest } from '../../../platform/blobs/blobs.ts'
import type { Log } from '../../../platform/log.ts'
import type { ComputeQuestion } from './ask-compute.ts'
import type { ComputeClient, ComputeLimits } from './compute-client.ts'
import { ComputeFailure } from './compute-failure.ts'

/** What a Rhino.Compute server answered. */
export interface ServerAnswer {
  /** The blob with the answer behind a line with the id of the solution, so that no other record refers to it. */
  digest: Digest
  /** The classes of the plan that the server does not have. */
  missingClassIds: string[]
}

/** What asking a Rhino.Compute server takes. */
export interface ComputeAccess {
  client: ComputeClient
  blobs: BlobStore
  log: Pick<Log, 'info' | 'warn'>
}

/** More classes of plug-ins than any known definition has. */
const MAX_CLASSES = 100

/**
 * Asks a Rhino.Compute server which components it has, and to solve a definition. Stores the answer unread: it is read in
 * a child process. Fails: `ComputeFailure`; with the reason of `limits.signal` when that aborts.
 */
export async function askServer(
  { body, plan }: ComputeQuestion,
  { client, blobs, log }: ComputeAccess,
  { solutionId, documentId }: { solutionId: string; documentId: string },
  limits: ComputeLimits,
): Promise<ServerAnswer> {
  const start = performance.now()
  const logged = () => ({
    solution: solutionId,
    document: documentId,
    durationMs: Math.round(performance.now() - start),
    sentBytes: body.length,
  })
  try {
    const missingClassIds = plan.classIds.slice(MAX_CLASSES)
    for (const classId of plan.classIds.slice(0, MAX_CLASSES)) {
      if (!(await client.hasComponent(classId, limits))) missingClassIds.push(classId)
    }
    const store = (chunks: AsyncIterable<Uint8Array>) => blobs.put(labelled(solutionId, chunks))
    const { digest, size } = await client.solve(body, store, limits)
    log.info({ ...logged(), receivedBytes: size, missingClassIds }, 'Rhino.Compute answered')
    return { digest, missingClassIds }
  } catch (error) {
    if (error instanceof ComputeFailure)
      log.warn({ ...logged(), outcome: error.outcome, reason: error.message }, 'Rhino.Compute did not answer')
    throw error
  }
}

async function* labelled(label: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${label}\n`)
  yield* chunks
}

/** The answer in a blob of `askServer`. */
export function removeLabel(blob: Uint8Array): Uint8Array {
  return blob.subarray(blob.indexOf(0x0a) + 1)
}
