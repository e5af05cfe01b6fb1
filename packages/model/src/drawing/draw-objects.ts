import type { EncodedGeometry } from '@meadow/contract'
import { type Drawing, drawGeometry, FINE } from '@meadow/drawing'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import { CLASS } from '../opennurbs/class-ids.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { openEncoded } from '../opennurbs/open-encoded.ts'
import type { ModelLibrary } from '../worker/model-library.ts'
import type { Sketch } from '../worker/requests.ts'
import { drawQuads } from './draw-subd.ts'
import { readCloudPoints, readDotPoint, readHatchLoops } from './read-outlines.ts'

/** An object that the solver has no type for, as it is shown. */
export interface ObjectDrawing {
  type: 'subD' | 'hatch' | 'text' | 'pointCloud'
  drawing: Drawing
}

/** How the objects of a kind that the solver has no type for are shown; undefined for a kind that is not shown. */
export function describeDrawing(kind: string): string | undefined {
  return SHOWN[kind]
}

const SHOWN: Readonly<Record<string, string>> = {
  SubD: 'as a mesh close to its surface',
  Hatch: 'as its outline',
  Text: 'as a frame of about its size',
  'Text dot': 'as a point',
  'Point cloud': 'as points without their colours',
}

/** Draws an object that `decodeGeometry` does not support; undefined when it cannot be shown. */
export async function drawObject(
  encoded: EncodedGeometry,
  library: Pick<ModelLibrary, 'sketch'>,
): Promise<ObjectDrawing | undefined> {
  const here = drawHere(encoded)
  if (here) return here
  const [sketch] = await library.sketch([encoded])
  return sketch ? drawSketch(sketch) : undefined
}

function drawSketch(sketch: Sketch): ObjectDrawing | undefined {
  if ('frame' in sketch)
    return drawCurves('text', [{ type: 'polyline', vertices: listCorners(sketch.frame) }])
  const drawing = drawQuads(sketch.quads)
  return drawing && { type: 'subD', drawing }
}

const listCorners = (frame: Float64Array): Xyz[] =>
  Array.from({ length: frame.length / 3 }, (_, i) => ({
    x: frame[3 * i]!,
    y: frame[3 * i + 1]!,
    z: frame[3 * i + 2]!,
  }))

/** Draws an object if that needs no library; undefined for other objects. */
function drawHere(encoded: EncodedGeometry): ObjectDrawing | undefined {
  try {
    const { classId, data } = readObject(openEncoded(encoded))
    if (classId === CLASS.hatch) return drawCurves('hatch', readHatchLoops(data))
    if (classId === CLASS.pointCloud) return drawPoints('pointCloud', readCloudPoints(data))
    return classId === CLASS.textDot ? drawPoints('text', [readDotPoint(data)]) : undefined
  } catch (error) {
    if (error instanceof ModelFault) return undefined
    throw error
  }
}

function drawCurves(type: ObjectDrawing['type'], curves: readonly Geometry[]): ObjectDrawing | undefined {
  const drawings = curves.flatMap((curve) => drawGeometry(curve, FINE) ?? [])
  const [first] = drawings
  return first && { type, drawing: { ...first, curves: drawings.flatMap((drawing) => drawing.curves) } }
}

function drawPoints(type: ObjectDrawing['type'], points: Xyz[]): ObjectDrawing | undefined {
  const [first] = points
  const drawing = first && drawGeometry({ type: 'point', ...first })
  return drawing && { type, drawing: { ...drawing, points } }
}
