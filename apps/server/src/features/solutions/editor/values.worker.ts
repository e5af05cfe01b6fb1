import { LRUCache } from 'lru-cache'
import { gunzip } from '../../../platform/blobs/compressed-bodies.ts'
import { jobSetup, openJobBlobs, serveJobs } from '../../../platform/processes/job-child.ts'
import { indexPorts, type PortPage, readPage, toPortKey } from './port-pages.ts'
import type { ValuesRequest, ValuesSetup } from './values-pool.ts'

/** The process of a `ValuesPool`: caches the values that were read last, so that the next page is a slice. */
const { cacheBytes } = jobSetup as ValuesSetup
const blobs = (await openJobBlobs())!

const bodies = new LRUCache<string, { body: Buffer; ports: Map<string, number> }>({
  maxSize: cacheBytes,
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

serveJobs<ValuesRequest, PortPage | undefined>(async ({ values, nodeInstanceId, portInstanceId, page }) => {
  const { body, ports } = await open(values.gzip, values.bytes)
  const at = ports.get(toPortKey(nodeInstanceId, portInstanceId))
  return at === undefined ? undefined : readPage(body, at, page)
})
