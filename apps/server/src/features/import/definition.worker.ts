import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../../platform/system-errors.ts'
import type { ReadAnswer, ReadRequest } from './definition-reader.ts'
import { makeDocument } from './make-document.ts'

/** The thread of a `DefinitionReader`: answers each file with its document, or with why there is none. */
parentPort!.on('message', ({ bytes }: ReadRequest) => {
  const { answer, handedOver } = read(bytes)
  parentPort!.postMessage(answer, handedOver)
})

function read(bytes: Uint8Array<ArrayBuffer>): { answer: ReadAnswer; handedOver: ArrayBuffer[] } {
  try {
    const document = makeDocument(bytes)
    return { answer: { bytes, document }, handedOver: [bytes.buffer, document.content.buffer] }
  } catch (error) {
    return { answer: { reason: reasonOf(error) }, handedOver: [] }
  }
}
