import { sampleCurve } from '@meadow/geometry/curves/sample-curve'
import { isCurve } from '@meadow/geometry/values/curves'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import type { Geometry } from '@meadow/geometry/values/value'
import { type Detail, FINE } from './detail.ts'
import { drawFace } from './draw-face.ts'
import { drawBorders, drawIsocurves } from './draw-isocurves.ts'
import { drawMesh } from './draw-mesh.ts'
import { drawSurface } from './draw-surface.ts'
import { createDrawing, type Drawing } from './drawing.ts'
import { createGrid } from './surface-grid.ts'

/**
 * The drawing of a geometry. Undefined for planes, for geometry that is too large, and for coordinates that are
 * not finite. Boxes and groups are drawn as the breps and members that a model file contains for them.
 */
export function drawGeometry(geometry: Geometry, detail: Detail = FINE): Drawing | undefined {
  const drawing = createDrawing()
  return draw(drawing, geometry, detail) && isWithoutFault(drawing) ? drawing : undefined
}

function draw(drawing: Drawing, geometry: Geometry, detail: Detail): boolean {
  if (isCurve(geometry)) {
    drawing.curves.push(sampleCurve(geometry, detail.line))
    return true
  }
  switch (geometry.type) {
    case 'point':
      drawing.points.push(geometry)
      return true
    case 'nurbsSurface': {
      const grid = createGrid(geometry, detail)
      drawSurface(drawing, geometry, grid)
      drawBorders(drawing, geometry, grid)
      if (!detail.isPlain) drawIsocurves(drawing, geometry, grid)
      return true
    }
    case 'brep':
      drawing.isClosed = isClosedBrep(geometry)
      drawing.edges.push(...geometry.edges.map(({ curve }) => sampleCurve(curve, detail.line)))
      return geometry.faces.every((face) => drawFace(drawing, face, detail))
    case 'mesh':
      drawMesh(drawing, geometry)
      return true
    default:
      return false
  }
}

const isWithoutFault = ({ positions, edges, isocurves, curves, points }: Drawing): boolean =>
  positions.every(Number.isFinite) &&
  [...edges, ...isocurves, ...curves, points].every((locations) =>
    locations.every(({ x, y, z }) => Number.isFinite(x + y + z)),
  )
