import type { EncodedGeometry } from '@meadow/contract'
import type { AnnotationBase, RhinoModule } from 'rhino3dm'
import { hold, type Library, readObject } from './library.ts'
import { refineSubD } from './refine-subd.ts'
import type { Sketch } from './requests.ts'

export function sketchObject({ rhino }: Library, encoded: EncodedGeometry): Sketch | null {
  using object = readObject(rhino, encoded)
  if (object instanceof rhino.SubD) {
    const quads = refineSubD(rhino, object)
    return quads && { quads }
  }
  return object instanceof rhino.Text ? { frame: frameText(rhino, object) } : null
}

type Numbers = readonly number[]
/** A text with members that the library's types lack or call by another type. */
type FramedText = {
  plainText: string
  plane: { origin: Numbers; xAxis: Numbers; yAxis: Numbers }
  getTextHeight(style: object): number
  getBoundingBox(style: object): { min: Numbers; max: Numbers }
}

/** The mean width of a letter, as a part of its height. */
const MEAN_WIDTH = 0.6

/**
 * The corners of the frame of a text, the first one twice, three numbers each. The library has no fonts: the height is that
 * of the text, the width is estimated.
 */
function frameText({ DimensionStyle }: RhinoModule, annotation: AnnotationBase): Float64Array {
  const text = annotation as unknown as FramedText
  using style = hold(new DimensionStyle())
  using box = hold(text.getBoundingBox(style))
  const { xAxis, yAxis } = text.plane
  const letters = Math.max(...text.plainText.split(/\r?\n/).map(({ length }) => length), 1)
  const width = letters * MEAN_WIDTH * text.getTextHeight(style)
  // The box is that of one line along the y axis.
  const bottom = yAxis.map((part, axis) => (part < 0 ? box.max : box.min)[axis]!)
  const top = yAxis.map((part, axis) => (part < 0 ? box.min : box.max)[axis]!)
  const besides = (corner: Numbers) => corner.map((part, axis) => part + width * xAxis[axis]!)
  return Float64Array.from([bottom, besides(bottom), besides(top), top, bottom].flat())
}
