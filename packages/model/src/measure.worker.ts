import { parentPort } from 'node:worker_threads'
import type { EncodedGeometry } from '@meadow/contract'
import rhino3dm, { type GeometryBase, type BoundingBox as RhinoBox } from 'rhino3dm'
import type { BoundingBox, MeasureAnswer, MeasureRequest } from './measure-request.ts'

const rhino = await rhino3dm()
const port = parentPort!

port.on('message', ({ geometries }: MeasureRequest) => {
  port.postMessage(measureAll(geometries))
})

function measureAll(geometries: EncodedGeometry[]): MeasureAnswer {
  try {
    return { boundingBoxes: geometries.map(measure) }
  } catch (error) {
    // The library may be in any state after it threw: whoever asked ends this worker.
    return { fault: String(error) }
  }
}

/** Memory of the library's heap: nothing there is collected by itself. The types leave `delete` out. */
interface Held {
  delete(): void
}

function measure(encoded: EncodedGeometry): BoundingBox | null {
  // The declared type wants a string; the library takes the object form that `encode` gives.
  const decode = rhino.CommonObject.decode as unknown as (
    encoded: EncodedGeometry,
  ) => (Partial<GeometryBase> & Held) | null
  const object = decode(encoded)
  const box = object?.getBoundingBox?.(true) as (RhinoBox & Held) | undefined
  const corners = box?.isValid ? ([box.min, box.max] as unknown as BoundingBox) : null
  box?.delete()
  object?.delete()
  return corners
}
