import type { EncodedGeometry } from '@meadow/contract'
import { frameText } from './frame-text.ts'
import { type Library, readObject } from './library.ts'
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
