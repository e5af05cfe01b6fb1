import { BufferGeometry, Group, Points, PointsMaterial, type Vector3 } from 'three'
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js'
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js'

/** Points that were measured, and the lines between them, in front of everything. */
export interface Marks {
  readonly object: Group
  show(points: readonly Vector3[]): void
  setColour(colour: string): void
  dispose(): void
}

const MARK_SIZE = 9
const LINE_WIDTH = 2

export function createMarks(): Marks {
  const onTop = { depthTest: false, depthWrite: false, transparent: true }
  const dots = new Points(
    new BufferGeometry(),
    new PointsMaterial({ size: MARK_SIZE, sizeAttenuation: false, ...onTop }),
  )
  const lines = new LineSegments2(
    new LineSegmentsGeometry(),
    new LineMaterial({ linewidth: LINE_WIDTH, ...onTop }),
  )
  const object = new Group()
  object.renderOrder = 20
  object.visible = false
  for (const child of [lines, dots]) {
    child.frustumCulled = false
    object.add(child)
  }
  return {
    object,
    show(points) {
      object.visible = points.length > 0
      lines.visible = points.length > 1
      dots.geometry.dispose()
      dots.geometry = new BufferGeometry().setFromPoints([...points])
      lines.geometry.dispose()
      lines.geometry = new LineSegmentsGeometry()
      const ends = points.slice(1).flatMap((point, i) => [...points[i]!.toArray(), ...point.toArray()])
      if (ends.length > 0) lines.geometry.setPositions(ends)
    },
    setColour(colour) {
      dots.material.color.set(colour)
      lines.material.color.set(colour)
    },
    dispose() {
      for (const { geometry, material } of [dots, lines]) {
        geometry.dispose()
        material.dispose()
      }
    },
  }
}
