import { createHash } from 'node:crypto'
import type { EncodedGeometry, SolutionId } from '@meadow/contract'
import { SCENE_TYPES, type SceneType } from '@meadow/contract/web'
import { decodeGeometry, USER_STRING, type ValueLocation, walkModel } from '@meadow/model'
import { countVertices, createSceneBuilder, packColour } from '@meadow/scene'
import { type Detail, type Drawing, drawGeometry, measureGeometry } from '@meadow/solver'
import { LRUCache } from 'lru-cache'

interface DrawnObject {
  drawing: Drawing
  traits: { type: SceneType; measure: number }
}

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
    const drawn = draw(object.encode(), scene.detail)
    const colour = object.colour ? packColour(object.colour) : 0
    if (!drawn) scene.skip()
    else if (!scene.add(location, drawn.drawing, { colour, ...drawn.traits })) break
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
function createCachedDraw(): (encoded: EncodedGeometry, detail: Detail) => DrawnObject | undefined {
  const cache = new LRUCache<string, DrawnObject>({
    maxSize: MAX_CACHED_VERTICES,
    sizeCalculation: ({ drawing }) => countVertices(drawing),
  })
  return (encoded, detail) => {
    const key = createHash('sha1').update(encoded.data).digest('base64')
    const known = cache.get(key)
    if (known) return known
    const geometry = decodeGeometry(encoded)
    const drawing = geometry && drawGeometry(geometry, detail)
    if (!drawing) return undefined
    const type = SCENE_TYPES.find((name) => name === geometry.type) ?? 'geometry'
    const drawn = { drawing, traits: { type, measure: measureGeometry(geometry) ?? Number.NaN } }
    cache.set(key, drawn)
    return drawn
  }
}
