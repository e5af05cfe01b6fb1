import type { GraphContent } from '@meadow/contract'
import { readScene } from '@meadow/contract/web/terms'
import { writeCompactScene } from '@meadow/drawing/scene'
import { LRUCache } from 'lru-cache'
import { gunzip } from '../../../platform/blobs/compressed-bodies.ts'
import { jobSetup, openJobBlobs, serveJobs } from '../../../platform/processes/job-child.ts'
import { indexPorts, type PortPage, readPage, toPortKey } from './port-pages.ts'
import type { CompactSceneRequest, ValuesRequest, ValuesSetup } from './values-pool.ts'

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
  const body = gunzip(await read(digest), bytes)
  const opened = { body, ports: indexPorts(body) }
  bodies.set(digest, opened)
  return opened
}

/** The size of the cache of compact scenes: many people visit the same page. */
const MAX_SCENES_BYTES = 32 * 2 ** 20
const scenes = new LRUCache<string, Uint8Array>({
  maxSize: MAX_SCENES_BYTES,
  sizeCalculation: ({ length }) => length + 1,
})

async function makeCompactScene({ scene, content }: CompactSceneRequest): Promise<Uint8Array> {
  const json = 'bytes' in content ? content.bytes : await read(content.digest)
  const { nodes } = JSON.parse(new TextDecoder().decode(json)) as GraphContent
  const hiddenIds = Object.keys(nodes).filter((id) => !nodes[id]!.status.isPreviewed)
  const key = [scene.gzip, ...hiddenIds].join()
  const known = scenes.get(key)
  if (known) return known
  const bytes = gunzip(await read(scene.gzip), scene.bytes)
  // A scene is read from the start of its buffer.
  const made = writeCompactScene(readScene(new Uint8Array(bytes).buffer), new Set(hiddenIds))
  scenes.set(key, made)
  return made
}

async function read(digest: string): Promise<Buffer> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} is missing.`)
  return bytes
}

serveJobs<ValuesRequest, PortPage | Uint8Array | undefined>(async (request) => {
  if (request.kind === 'compactScene') return makeCompactScene(request)
  const { values, nodeInstanceId, portInstanceId, page } = request
  const { body, ports } = await open(values.gzip, values.bytes)
  const at = ports.get(toPortKey(nodeInstanceId, portInstanceId))
  return at === undefined ? undefined : readPage(body, at, page)
})
