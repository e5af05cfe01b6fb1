import { toBrep } from '@meadow/geometry/breps/to-brep'
import type { Geometry } from '@meadow/geometry/values/value'

/** Returns the parts of a value that are drawn: the members of a group, or a box as a brep. Planes are invisible. */
export function listMembers(geometry: Geometry): Geometry[] {
  switch (geometry.type) {
    case 'group':
      return geometry.members.flatMap(listMembers)
    case 'box':
      return [toBrep(geometry) ?? geometry]
    case 'plane':
      return []
    default:
      return [geometry]
  }
}
