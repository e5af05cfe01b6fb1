import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import { gunzip } from '../../../platform/blobs/gunzip.ts'
import { indexPorts, readPage, toPortKey } from './port-pages.ts'
import type { ValuesRequest, ValuesThreadSetup } from './values-thread.ts'

/** The thread of `openValuesThread`: keeps the values that were looked into last, so that the next look is a slice. */
const { blobsFolder } = workerData as ValuesThreadSetup
const port = parentPort!
const blobs = await openDiskBlobs(blobsFolder)

const KEPT_BYTES = 256 * 2 ** 20

const bodies = new LRUCache<string, { body: Buffer; ports: Map<string, number> }>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ body, ports }) => body.length + 200 * ports.size + 1,
})

async function open(digest: string, bytes: number) {
  const known = bodies.get(digest)
  if (known) return known
  const packed = await blobs.read(digest)
  if (!packed) throw new Error(`The blob ${digest} of a solution's values is missing.`)
  const body = gunzip(packed, bytes)
  const opened = { body, ports: indexPorts(body) }
  bodies.set(digest, opened)
  return opened
}

port.on('message', async ({ values, nodeInstanceId, portInstanceId, page }: ValuesRequest) => {
  const { body, ports } = await open(values.gzip, values.bytes)
  const at = ports.get(toPortKey(nodeInstanceId, portInstanceId))
  port.postMessage(at === undefined ? undefined : readPage(body, at, page))
})
