import { SCENE_TYPES } from '@meadow/contract/web/terms'
import { formatPath, type Path } from '@meadow/document'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import { getPreviewColour } from '@meadow/geometry/values/shader'
import type { Geometry, Opaque, Shader, Value } from '@meadow/geometry/values/value'
import { COARSE } from '../drawing/detail.ts'
import { drawGeometry } from '../drawing/draw-geometry.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { listMembers } from '../drawing/list-members.ts'
import { createSceneBuilder, packColour, type SceneBuilder } from './scene-builder.ts'

/** Draws a geometry. Returns undefined for geometry that has no drawing. */
export type Draw = (geometry: Geometry) => Drawing | undefined

export interface DrawOptions {
  /** Whether a node's geometry is drawn. Values with a colour of their own always are. */
  isDrawn: (nodeInstanceId: string) => boolean
  /** The maximum number of vertices; see `SceneProperties.maxVertices`. */
  maxVertices?: number
  /** The function that draws a geometry; `drawGeometry` by default. */
  draw?: Draw
}

/** The part of a solution that is drawn; see `Solution` of `@meadow/solver`. */
export interface DrawnSolution {
  /** The data of each port, by the ids of its node and itself. */
  ports: ReadonlyMap<string, ReadonlyMap<string, DrawnData>>
  materials: ReadonlyMap<Geometry | Opaque, Shader>
}

interface DrawnData {
  readonly branches: readonly { readonly path: Path; readonly values: readonly (Value | null)[] }[]
}

/** Draws the geometry of a solution, as `solve` returns it, into a scene without a unit. */
export function drawSolution(
  { ports, materials }: DrawnSolution,
  { isDrawn, maxVertices, draw = drawGeometry }: DrawOptions,
): SceneBuilder {
  const scene = createSceneBuilder({ units: 'none', ...(maxVertices !== undefined && { maxVertices }) })
  for (const [nodeInstanceId, trees] of ports) {
    const drawsAll = isDrawn(nodeInstanceId)
    if (!drawsAll && materials.size === 0) continue
    for (const [portInstanceId, { branches }] of trees) {
      for (const { path, values } of branches) {
        const location = { nodeInstanceId, portInstanceId, path: formatPath(path) }
        for (const [index, value] of values.entries()) {
          if (value === null || !isGeometry(value)) continue
          const material = materials.get(value)
          if (!drawsAll && !material) continue
          for (const member of listMembers(value)) {
            const drawing = draw(member)
            if (!drawing) scene.skip()
            else if (!scene.add({ ...location, index }, drawing, toTraits(member, material))) return scene
          }
        }
      }
    }
  }
  return scene
}

const toTraits = (geometry: Geometry, material: Shader | undefined) => ({
  type: SCENE_TYPES.find((type) => type === geometry.type) ?? 'geometry',
  colour: material ? packColour(getPreviewColour(material)) : 0,
})

/**
 * Creates a function that draws a geometry once, coarsely by default since the drawing is replaced soon. Ports that
 * pass values on have the same objects, and so does the next solution.
 */
export function createDrawCache(detail = COARSE): Draw {
  const known = new WeakMap<Geometry, { drawing: Drawing | undefined }>()
  return (geometry) => {
    let found = known.get(geometry)
    if (!found) {
      found = { drawing: drawGeometry(geometry, detail) }
      known.set(geometry, found)
    }
    return found.drawing
  }
}
