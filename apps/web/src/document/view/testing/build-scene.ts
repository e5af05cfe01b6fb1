import { readScene, type Scene, type SceneType } from '@meadow/contract/web'
import { measureGeometry } from '@meadow/geometry/measure-geometry'
import type { Mesh } from '@meadow/geometry/values/mesh'
import type { Geometry } from '@meadow/geometry/values/value'
import { drawGeometry } from '../../../../../../packages/drawing/src/index.ts'
import { createSceneBuilder, packColour } from '../../../../../../packages/drawing/src/scene/index.ts'

interface Content {
  node: string
  geometry: Geometry
  path?: string
  index?: number
  /** By default that of the geometry. */
  type?: SceneType
  colour?: { red: number; green: number; blue: number; alpha: number }
}

/** A scene as the server makes it, with the geometry of nodes that have one port. */
export async function buildScene(contents: readonly Content[], units = 'millimeters'): Promise<Scene> {
  const builder = createSceneBuilder({ units })
  for (const { node, geometry, path = '{0}', index = 0, type, colour } of contents) {
    const location = { nodeInstanceId: node, portInstanceId: 'out', path, index }
    builder.add(location, drawGeometry(geometry, builder.detail)!, {
      colour: colour ? packColour(colour) : 0,
      type: type ?? (geometry.type as SceneType),
      measure: measureGeometry(geometry) ?? Number.NaN,
    })
  }
  return readScene(await new Blob([...builder.finish()]).arrayBuffer())
}

export const line = (from: [number, number, number], to: [number, number, number]): Geometry => ({
  type: 'line',
  from: { x: from[0], y: from[1], z: from[2] },
  to: { x: to[0], y: to[1], z: to[2] },
})

export const point = (x: number, y: number, z: number): Geometry => ({ type: 'point', x, y, z })

/** A closed mesh: a cube with one corner at a place, whose vertices are shared. */
export function cube(x: number, y: number, z: number, size = 1): Mesh {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
    x: x + size * (i & 1),
    y: y + size * ((i >> 1) & 1),
    z: z + size * (i >> 2),
  }))
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ].map(([a, b, c, d]) => ({ type: 'meshFace' as const, a: a!, b: b!, c: c!, d: d! }))
  return { type: 'mesh', vertices: corners, faces }
}
