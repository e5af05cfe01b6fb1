import { findSceneValue, type Scene, type SceneBatch } from '@meadow/contract/web'
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type ColorRepresentation,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Points,
  PointsMaterial,
} from 'three'

/** The value of the solution that an object or a part of it shows. */
export interface SceneValue {
  nodeInstanceId: string
  portInstanceId: string
  path: string
  index: number
}

/** How a batch is painted. */
export interface Look {
  color: ColorRepresentation
  /** Others are selected. */
  isFaded: boolean
  /** Only values with a colour of their own are visible. */
  isHidden: boolean
}

/** A batch and its object in the scene. */
export interface DrawnBatch {
  readonly batch: SceneBatch
  readonly object: Object3D
  /** Whether any of its values has a colour of its own. */
  readonly hasOwnColours: boolean
  paint(look: Look): void
  /** The value of the face, segment or point that was hit. */
  findValue(hit: {
    faceIndex?: number | null | undefined
    index?: number | undefined
  }): SceneValue | undefined
  dispose(): void
}

/** Moves surfaces back a little in depth, so that lines that lie on them are visible. */
const SURFACE_OFFSET = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }

/** Creates the object of a batch. The attributes are views of the scene's bytes, not copies. */
export function drawBatch(scene: Scene, batch: SceneBatch): DrawnBatch {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(scene.floats(batch.positions), 3))
  if (batch.normals) geometry.setAttribute('normal', new BufferAttribute(scene.floats(batch.normals), 3))
  const indices = batch.indices && scene.integers(batch.indices)
  if (indices) geometry.setIndex(new BufferAttribute(indices, 1))
  const starts = scene.integers(batch.starts)
  const plain = createMaterial(batch.kind)
  const coloured = batch.colours && createMaterial(batch.kind)
  if (batch.colours && coloured) {
    const vertices = batch.positions.length / 3
    const colours = scene.integers(batch.colours)
    geometry.setAttribute('color', new BufferAttribute(expandColours(colours, starts, indices, vertices), 4))
    for (const [value, colour] of colours.entries())
      geometry.addGroup(starts[value]!, starts[value + 1]! - starts[value]!, colour === 0 ? 0 : 1)
    coloured.vertexColors = true
    coloured.transparent = colours.some((colour) => colour !== 0 && (colour & 0xff) !== 0xff)
  }
  const materials = coloured ? [plain, coloured] : plain
  const object =
    batch.kind === 'triangles'
      ? new Mesh(geometry, materials)
      : batch.kind === 'lines'
        ? new LineSegments(geometry, materials)
        : new Points(geometry, materials)
  return {
    batch,
    object,
    hasOwnColours: coloured !== undefined,
    paint({ color, isFaded, isHidden }) {
      plain.color.set(color)
      plain.transparent = isFaded
      plain.opacity = isFaded ? 0.15 : 1
      plain.depthWrite = !isFaded
      plain.visible = !isHidden
    },
    findValue({ faceIndex, index }) {
      const element = batch.kind === 'triangles' ? (faceIndex ?? -1) * 3 : (index ?? -1)
      const value = element < 0 ? undefined : findSceneValue(batch, starts, element)
      return value && { nodeInstanceId: batch.nodeInstanceId, portInstanceId: batch.portInstanceId, ...value }
    },
    dispose() {
      geometry.dispose()
      plain.dispose()
      coloured?.dispose()
    },
  }
}

/** Expands the values' colours, `0xrrggbbaa`, to vertices: red, green, blue (linear) and opacity, each from 0 to 1. */
function expandColours(
  colours: Uint32Array,
  starts: Uint32Array,
  indices: Uint32Array | undefined,
  vertices: number,
): Float32Array {
  const expanded = new Float32Array(4 * vertices).fill(1)
  const color = new Color()
  for (const [value, rgba] of colours.entries()) {
    if (rgba === 0) continue
    color.setHex(rgba >>> 8)
    const parts = [color.r, color.g, color.b, (rgba & 0xff) / 0xff]
    for (let element = starts[value]!; element < starts[value + 1]!; element++)
      expanded.set(parts, 4 * (indices?.[element] ?? element))
  }
  return expanded
}

function createMaterial(kind: SceneBatch['kind']) {
  if (kind === 'triangles')
    return new MeshStandardMaterial({ side: DoubleSide, roughness: 0.75, ...SURFACE_OFFSET })
  return kind === 'lines' ? new LineBasicMaterial() : new PointsMaterial({ size: 5, sizeAttenuation: false })
}
