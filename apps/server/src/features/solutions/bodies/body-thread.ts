import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { receiveBodies } from '../../../platform/blobs/receive-bodies.ts'
import { type JobLimits, openJobThread } from '../../../platform/job-thread.ts'
import type { BodyRequest, MadeBody } from './body-request.ts'

const LIMITS: JobLimits = { deadlineMs: 120_000, heapMb: 1024 }

/** A thread that makes bodies, one after the other. */
export interface BodyThread extends AsyncDisposable {
  /** Fails when that takes more than it may, or the thread dies of it. */
  make(request: BodyRequest): Promise<MadeBody>
}

export function openBodyThread(
  { blobs, blobsFolder }: { blobs: BlobStore; blobsFolder: string },
  limits: JobLimits = LIMITS,
): BodyThread {
  const script = new URL('./body.worker.ts', import.meta.url)
  const openPorts = () => ({ bodies: receiveBodies(blobs) })
  const thread = openJobThread<BodyRequest, MadeBody>(script, { setup: { blobsFolder }, openPorts, limits })
  return { make: thread.ask, [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose]() }
}
