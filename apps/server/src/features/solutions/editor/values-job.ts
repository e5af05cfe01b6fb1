import { readScene } from '@meadow/contract/web/terms'
import { writePlayerScene, writeSightScene } from '@meadow/drawing/scene'
import { LRUCache } from 'lru-cache'
import { readGraph } from '../../../content/read-graph.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { gunzip } from '../../../platform/blobs/compressed-bodies.ts'
import type { Job, JobParts } from '../../../platform/processes/job-child.ts'
import type { StoredForms } from '../solutions.store.ts'
import { listHiddenIds, type ReadPage, readPlayerValues } from './player-values.ts'
import { indexPorts, readPage, toPortKey } from './port-pages.ts'
import type { CompactSceneRequest, ValuesAnswer, ValuesRequest, ValuesSetup } from './values-pool.ts'

/** The size of the cache of compact scenes: many people visit the same page. */
const MAX_SCENES_BYTES = 32 * 2 ** 20

/** Creates the job of a `ValuesPool`, which caches the values that were read last: the next page is a slice of them. */
export function createJob({ setup, blobs }: JobParts): Job<ValuesRequest, ValuesAnswer> {
  const { cacheBytes }: ValuesSetup = setup
  const readPageOfPort = createPageReader(blobs!, cacheBytes)
  const makeCompactScene = createSceneMaker(blobs!)
  return async (request) => {
    switch (request.kind) {
      case 'compactScene':
        return makeCompactScene(request)
      case 'player':
        return readPlayerValues(blobs!, readPageOfPort, request)
      case 'page':
        return readPageOfPort(request.values, request, request.page)
    }
  }
}

function createPageReader(blobs: BlobStore, cacheBytes: number): ReadPage {
  const bodies = new LRUCache<string, { body: Buffer; ports: Map<string, number> }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ body, ports }) => body.length + 200 * ports.size + 1,
  })

  async function open(values: StoredForms) {
    const known = bodies.get(values.gzip)
    if (known) return known
    const body = await readUnpacked(blobs, values)
    const opened = { body, ports: indexPorts(body) }
    bodies.set(values.gzip, opened)
    return opened
  }

  return async (values, { nodeInstanceId, portInstanceId }, page) => {
    const { body, ports } = await open(values)
    const at = ports.get(toPortKey(nodeInstanceId, portInstanceId))
    return at === undefined ? undefined : readPage(body, at, page)
  }
}

function createSceneMaker(blobs: BlobStore) {
  const scenes = new LRUCache<string, Uint8Array>({
    maxSize: MAX_SCENES_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  })

  return async ({ scene, content }: CompactSceneRequest): Promise<Uint8Array> => {
    const hiddenIds = content && listHiddenIds((await readGraph(blobs, content)).nodes)
    const key = JSON.stringify([scene.gzip, hiddenIds])
    const known = scenes.get(key)
    if (known) return known
    const bytes = await readUnpacked(blobs, scene)
    // A scene is read from the start of its buffer.
    const read = readScene(new Uint8Array(bytes).buffer)
    const made = hiddenIds ? writePlayerScene(read, new Set(hiddenIds)) : writeSightScene(read)
    scenes.set(key, made)
    return made
  }
}

async function readUnpacked(blobs: BlobStore, { gzip, bytes }: StoredForms): Promise<Buffer> {
  const packed = await blobs.read(gzip)
  if (!packed) throw new Error(`The blob ${gzip} is missing.`)
  return gunzip(packed, bytes)
}
