import { isCurve } from '../values/curves.ts'
import type { Geometry } from '../values/value.ts'
import { drawFace } from './draw-face.ts'
import { drawMesh } from './draw-mesh.ts'
import { drawSurface } from './draw-surface.ts'
import { createDrawing, type Drawing } from './drawing.ts'
import { sampleCurve } from './sample-curve.ts'

/**
 * The drawing of a geometry. Undefined for planes, for geometry that is too large, and for coordinates that are
 * not finite. Boxes and groups are drawn as the breps and members that a model file contains for them.
 */
export function drawGeometry(geometry: Geometry): Drawing | undefined {
  const drawing = createDrawing()
  return draw(drawing, geometry) && isWithoutFault(drawing) ? drawing : undefined
}

function draw(drawing: Drawing, geometry: Geometry): boolean {
  if (isCurve(geometry)) {
    drawing.curves.push(sampleCurve(geometry))
    return true
  }
  switch (geometry.type) {
    case 'point':
      drawing.points.push(geometry)
      return true
    case 'nurbsSurface':
      drawSurface(drawing, geometry)
      return true
    case 'brep':
      drawing.edges.push(...geometry.edges.map(({ curve }) => sampleCurve(curve)))
      return geometry.faces.every((face) => drawFace(drawing, face))
    case 'mesh':
      drawMesh(drawing, geometry)
      return true
    default:
      return false
  }
}

const isWithoutFault = ({ positions, edges, curves, points }: Drawing): boolean =>
  positions.every(Number.isFinite) &&
  [...edges, ...curves, points].every((locations) =>
    locations.every(({ x, y, z }) => Number.isFinite(x + y + z)),
  )
