import { parentPort } from 'node:worker_threads'
import { openGeometryMeasurer } from '@meadow/model'
import { reasonOf } from '../../platform/system-errors.ts'
import type { ReadAnswer, ReadRequest } from './definition-reader.ts'
import { makeDocument } from './make-document.ts'

const measurer = openGeometryMeasurer()

/** The thread of a `DefinitionReader`: answers each file with its document, or with why there is none. */
parentPort!.on('message', async ({ bytes }: ReadRequest) => {
  const { answer, handedOver } = await read(bytes)
  parentPort!.postMessage(answer, handedOver)
})

async function read(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ answer: ReadAnswer; handedOver: ArrayBuffer[] }> {
  try {
    const document = await makeDocument(bytes, measurer)
    return { answer: { bytes, document }, handedOver: [bytes.buffer, document.content.buffer] }
  } catch (error) {
    return { answer: { reason: reasonOf(error) }, handedOver: [] }
  }
}
