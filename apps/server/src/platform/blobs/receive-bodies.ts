import { on } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { findCode, reasonOf } from '../system-errors.ts'
import type { BlobStore } from './blobs.ts'
import { type CompressedBody, type CompressOptions, putCompressed } from './put-compressed.ts'

/** What a thread says first of a body. Then come its chunks through `port`, and null at the end. */
export interface PostedBody {
  port: MessagePort
  options: CompressOptions
}

/** What it is told through `port`: that a chunk was taken, and how all of it ended. */
export type BodyAnswer = 'taken' | { stored: CompressedBody } | BodyFault

/** Why it could not be stored, and the code of the operating system where that was it. */
export interface BodyFault {
  fault: string
  code: string | undefined
}

/**
 * Compresses and stores bodies that a thread makes, which has `createBodyPoster` over this port: a thread that is
 * ended while it makes a stream of `node:zlib` takes the process with it. The work is done in threads of Node's own
 * either way. A body whose thread ends before it is whole leaves nothing.
 */
export function receiveBodies(blobs: BlobStore): MessagePort {
  const { port1: ours, port2: theirs } = new MessageChannel()
  ours.on('message', (body: PostedBody) => void storeBody(blobs, body))
  ours.unref()
  return theirs
}

async function storeBody(blobs: BlobStore, { port, options }: PostedBody): Promise<void> {
  const say = (answer: BodyAnswer) => port.postMessage(answer)
  try {
    say({ stored: await putCompressed(blobs, takeChunks(port), options) })
  } catch (error) {
    say({ fault: reasonOf(error), code: findCode(error) })
  } finally {
    port.close()
  }
}

async function* takeChunks(port: MessagePort): AsyncGenerator<Uint8Array> {
  for await (const [chunk] of on(port, 'message', { close: ['close'] })) {
    if (chunk === null) return
    yield chunk
    port.postMessage('taken' satisfies BodyAnswer)
  }
  throw new Error('the thread ended before its body was whole')
}
