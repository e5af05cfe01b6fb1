import { createHash } from 'node:crypto'
import type { EncodedGeometry, SolutionId } from '@meadow/contract'
import { SCENE_TYPES, type SceneType } from '@meadow/contract/web/terms'
import { type Detail, type Drawing, drawGeometry } from '@meadow/drawing'
import { countVertices, createSceneBuilder, packColour } from '@meadow/drawing/scene'
import { measureGeometry } from '@meadow/geometry/measure-geometry'
import type { Geometry } from '@meadow/geometry/values/value'
import {
  decodeGeometry,
  drawObject,
  type ModelLibrary,
  openModelLibrary,
  USER_STRING,
  type ValueLocation,
  walkModel,
} from '@meadow/model'
import { LRUCache } from 'lru-cache'

interface DrawnObject {
  drawing: Drawing
  traits: { type: SceneType; measure: number }
}

const MAX_CACHED_VERTICES = 1_000_000

/** The bytes of a scene (`scene.ts` of the contract), in pieces, from a model file. */
export async function writeScene(
  model: Uint8Array,
  properties: { solutionId: SolutionId; units: string },
): Promise<Generator<Uint8Array>> {
  const { solutionId, units } = properties
  const scene = createSceneBuilder({ solutionId, units })
  await using library = openModelLibrary()
  const draw = createCachedDraw(library)
  for (const object of walkModel(model)) {
    const location = findLocation(object.userStrings)
    if (!location) continue
    const drawn = await draw(object.encode(), scene.detail)
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

type Draw = (encoded: EncodedGeometry, detail: Detail) => Promise<DrawnObject | undefined>

/** Draws an object. Recent drawings are cached, because ports that pass a value on have the same object. */
function createCachedDraw(library: Pick<ModelLibrary, 'sketch'>): Draw {
  const cache = new LRUCache<string, DrawnObject>({
    maxSize: MAX_CACHED_VERTICES,
    sizeCalculation: ({ drawing }) => countVertices(drawing),
  })
  return async (encoded, detail) => {
    const key = createHash('sha1').update(encoded.data).digest('base64')
    const known = cache.get(key)
    if (known) return known
    const geometry = decodeGeometry(encoded)
    const drawn = geometry ? drawValue(geometry, detail) : await drawOther(encoded, library)
    if (drawn) cache.set(key, drawn)
    return drawn
  }
}

function drawValue(geometry: Geometry, detail: Detail): DrawnObject | undefined {
  const drawing = drawGeometry(geometry, detail)
  const type = SCENE_TYPES.find((name) => name === geometry.type) ?? 'geometry'
  return drawing && { drawing, traits: { type, measure: measureGeometry(geometry) ?? Number.NaN } }
}

/** What the solver has no type for, such as a SubD. Nothing of it is measured, because the drawing is not exact. */
async function drawOther(
  encoded: EncodedGeometry,
  library: Pick<ModelLibrary, 'sketch'>,
): Promise<DrawnObject | undefined> {
  const drawn = await drawObject(encoded, library)
  return drawn && { drawing: drawn.drawing, traits: { type: drawn.type, measure: Number.NaN } }
}
