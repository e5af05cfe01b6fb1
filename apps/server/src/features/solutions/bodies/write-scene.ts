import { createHash } from 'node:crypto'
import type { EncodedGeometry, SolutionId } from '@meadow/contract'
import { decodeGeometry, USER_STRING, type ValueLocation, walkModel } from '@meadow/model'
import { countVertices, createSceneBuilder, packColour } from '@meadow/scene'
import { type Drawing, drawGeometry } from '@meadow/solver'
import { LRUCache } from 'lru-cache'

const MAX_CACHED_VERTICES = 1_000_000

/** The bytes of a scene (`scene.ts` of the contract), in pieces, from a model file. */
export function writeScene(
  model: Uint8Array,
  properties: { solutionId: SolutionId; units: string },
): Generator<Uint8Array> {
  const { solutionId, units } = properties
  const scene = createSceneBuilder({ solutionId, units })
  const draw = createCachedDraw()
  for (const object of walkModel(model)) {
    const location = findLocation(object.userStrings)
    if (!location) continue
    const drawing = draw(object.encode())
    if (!drawing) scene.skip()
    else if (!scene.add(location, drawing, object.colour && packColour(object.colour))) break
  }
  return scene.finish()
}

function findLocation(strings: ReadonlyMap<string, string>): ValueLocation | undefined {
  const nodeInstanceId = strings.get(USER_STRING.node)
  const portInstanceId = strings.get(USER_STRING.port)
  const path = strings.get(USER_STRING.path)
  const index = Number(strings.get(USER_STRING.index))
  if (!nodeInstanceId || !portInstanceId || !path || !Number.isSafeInteger(index)) return undefined
  return { nodeInstanceId, portInstanceId, path, index }
}

/** Draws an object. Recent drawings are cached, because ports that pass a value on have the same object. */
function createCachedDraw(): (encoded: EncodedGeometry) => Drawing | undefined {
  const cache = new LRUCache<string, Drawing>({
    maxSize: MAX_CACHED_VERTICES,
    sizeCalculation: countVertices,
  })
  return (encoded) => {
    const key = createHash('sha1').update(encoded.data).digest('base64')
    const known = cache.get(key)
    if (known) return known
    const geometry = decodeGeometry(encoded)
    const drawing = geometry && drawGeometry(geometry)
    if (drawing) cache.set(key, drawing)
    return drawing
  }
}
