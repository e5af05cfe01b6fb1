import type { EncodedGeometry } from '@meadow/contract'
import { hold, type Library, readObject } from './library.ts'
import type { BoundingBox } from './requests.ts'

export function measureObject({ rhino }: Library, encoded: EncodedGeometry): BoundingBox | null {
  using object = readObject(rhino, encoded)
  if (!object?.getBoundingBox) return null
  using box = hold(object.getBoundingBox(true))
  return box.isValid ? ([box.min, box.max] as unknown as BoundingBox) : null
}
