import { createHash } from 'node:crypto'
import type { EncodedGeometry, GraphContent } from '@meadow/contract'
import { type Drawing, listMembers } from '@meadow/drawing'
import { type Drawable, drawThumbnail, drawWholeThumbnail, type Thumbnail } from '@meadow/drawing/thumbnails'
import { getPreviewColour } from '@meadow/geometry/values/shader'
import type { Geometry, Opaque } from '@meadow/geometry/values/value'
import type { ModelValue } from '../file/model-input.ts'
import { USER_STRING } from '../file/user-strings.ts'
import { decodeGeometry } from '../geometry/decode-geometry.ts'
import { walkModel } from '../walker/walk-model.ts'
import type { ModelLibrary } from '../worker/model-library.ts'
import { drawObject } from './draw-objects.ts'

export interface ThumbnailOptions {
  /** The content of the document; see `drawThumbnail` of `@meadow/drawing/thumbnails`. */
  content: GraphContent
  /** The processor time in milliseconds; see `drawThumbnail` of `@meadow/drawing/thumbnails`. */
  budgetMs: number
  /** Sketches values that have no type here, such as a SubD. */
  library: Pick<ModelLibrary, 'sketch'>
}

/**
 * Draws a picture of the geometry of a solution. Resolves with undefined when none is visible, and when it would take
 * too long.
 */
export async function drawValuesThumbnail(
  values: readonly ModelValue[],
  { library, ...options }: ThumbnailOptions,
): Promise<Thumbnail | undefined> {
  return isLarge(values) ? undefined : drawWholeThumbnail(listDrawableValues(values, library), options)
}

/**
 * Draws a picture of the geometry in a model file, which takes longer. When the time is up, the picture is partial.
 * Throws a `ModelFault` for a damaged file.
 */
export const drawModelThumbnail = (
  model: Uint8Array,
  { library, ...options }: ThumbnailOptions,
): Promise<Thumbnail> => drawThumbnail(listDrawableObjects(model, library), options)

/**
 * The maximum number of faces of meshes: more of them alone take more than a tenth of a second, and the time is only
 * checked between values.
 */
const MANY_FACES = 150_000

const isLarge = (values: readonly ModelValue[]): boolean =>
  values.reduce((sum, { value }) => sum + (value.type === 'mesh' ? value.faces.length : 0), 0) > MANY_FACES

function* listDrawableValues(
  values: readonly ModelValue[],
  library: ThumbnailOptions['library'],
): Generator<Drawable> {
  for (const { value, material, nodeInstanceId } of values) {
    const colour = material && getPreviewColour(material)
    yield { nodeInstanceId, colour, source: value, open: () => openValue(value, library) }
  }
}

async function openValue(
  value: Geometry | Opaque,
  library: ThumbnailOptions['library'],
): Promise<(Geometry | Drawing)[]> {
  if (value.type !== 'opaque') return listMembers(value)
  return value.wire.geometry ? drawOther(value.wire.geometry, library) : []
}

/** Lists the objects of a model file. Equal ones in one colour are drawn once. */
function* listDrawableObjects(model: Uint8Array, library: ThumbnailOptions['library']): Generator<Drawable> {
  const known = new Set<string>()
  for (const { userStrings, colour, encode } of walkModel(model)) {
    yield {
      nodeInstanceId: userStrings.get(USER_STRING.node) ?? '',
      colour,
      async open() {
        const encoded = encode()
        const key = `${createHash('sha1').update(encoded.data).digest('base64')} ${JSON.stringify(colour)}`
        if (known.has(key)) return []
        known.add(key)
        const geometry = decodeGeometry(encoded)
        return geometry ? listMembers(geometry) : drawOther(encoded, library)
      },
    }
  }
}

async function drawOther(encoded: EncodedGeometry, library: ThumbnailOptions['library']): Promise<Drawing[]> {
  const drawn = await drawObject(encoded, library)
  return drawn ? [drawn.drawing] : []
}
