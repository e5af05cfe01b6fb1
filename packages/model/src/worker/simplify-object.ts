import type { EncodedGeometry } from '@meadow/contract'
import type { Extrusion } from 'rhino3dm'
import { type HeldGeometry, hold, type Library, readObject } from './library.ts'

/** An extrusion as a brep: that is the only class with an exact form here which only the library can give. */
export function simplifyObject({ rhino }: Library, encoded: EncodedGeometry): EncodedGeometry | null {
  using object = readObject(rhino, encoded)
  if (!(object instanceof rhino.Extrusion)) return null
  using brep = toBrep(object)
  return brep && (brep.encode() as unknown as EncodedGeometry)
}

/** Null for an extrusion that is not valid. */
function toBrep(extrusion: Extrusion): HeldGeometry | null {
  return hold(extrusion.toBrep(false)) as unknown as HeldGeometry | null
}
