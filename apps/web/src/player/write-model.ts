import { METERS_PER_UNIT, type Unit } from '@meadow/contract'
import type { Scene, SceneBatch } from '@meadow/contract/web'
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
} from 'three'
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js'
import { OBJExporter } from 'three/examples/jsm/exporters/OBJExporter.js'
import { STLExporter } from 'three/examples/jsm/exporters/STLExporter.js'

export type ModelFormat = 'glb' | 'obj' | 'stl'

interface ModelParts {
  scene: Scene
  /** Whether the geometry of a node is to be seen. */
  isShown: (nodeInstanceId: string) => boolean
  units: Unit
  format: ModelFormat
}

/**
 * The bodies, curves and points of a scene as a file, an object for each value. GLB is in metres with Y up, as the format
 * demands; OBJ and STL are in the document's unit with Z up. STL has bodies only.
 */
export async function writeModel({ scene, isShown, units, format }: ModelParts): Promise<Blob> {
  const model = new Group()
  model.position.fromArray(scene.origin)
  for (const batch of scene.batches) {
    if (!isShown(batch.nodeInstanceId) && !batch.colours) continue
    if (batch.role === 'body' || (format !== 'stl' && (batch.role === 'curve' || batch.role === 'point')))
      model.add(...createObjects(scene, batch, isShown(batch.nodeInstanceId)))
  }
  const root = new Group().add(model)
  if (format === 'glb') {
    root.rotation.x = -Math.PI / 2
    root.scale.setScalar(METERS_PER_UNIT[units])
  }
  root.updateMatrixWorld(true)
  switch (format) {
    case 'glb':
      return new Blob([(await new GLTFExporter().parseAsync(root, { binary: true })) as ArrayBuffer], {
        type: 'model/gltf-binary',
      })
    case 'obj':
      return new Blob([new OBJExporter().parse(root)], { type: 'model/obj' })
    default:
      return new Blob([new STLExporter().parse(root, { binary: true }) as DataView<ArrayBuffer>], {
        type: 'model/stl',
      })
  }
}

/**
 * Creates an object for each value of a batch that draws something. For a node that is not shown, only values with a
 * colour have one.
 */
function createObjects(scene: Scene, batch: SceneBatch, isNodeShown: boolean) {
  const { kind, nodeInstanceId, portInstanceId, branches } = batch
  const starts = scene.integers(batch.starts)
  const colours = batch.colours && scene.integers(batch.colours)
  const names = branches.flatMap(({ path, values }) =>
    Array.from({ length: values }, (_, index) => `${path}[${index}]`),
  )
  return names.flatMap((name, value) => {
    const [start, end] = [starts[value]!, starts[value + 1]!]
    const colour = colours?.[value] ?? 0
    if (start === end || (colour === 0 && !isNodeShown)) return []
    const geometry = cutGeometry(scene, batch, start, end)
    const object = createObject(kind, geometry, colour)
    object.name = name
    object.userData = { nodeInstanceId, portInstanceId }
    return [object]
  })
}

/** The part of a batch that one value drew, with its own vertices only. */
function cutGeometry(scene: Scene, batch: SceneBatch, start: number, end: number): BufferGeometry {
  const positions = scene.floats(batch.positions)
  const geometry = new BufferGeometry()
  if (!batch.indices)
    return geometry.setAttribute('position', new BufferAttribute(positions.slice(3 * start, 3 * end), 3))
  const indices = scene.integers(batch.indices).slice(start, end)
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const index of indices) {
    if (index < first) first = index
    if (index > last) last = index
  }
  const cut = (numbers: Float32Array) => new BufferAttribute(numbers.slice(3 * first, 3 * (last + 1)), 3)
  geometry.setIndex(
    new BufferAttribute(
      indices.map((index) => index - first),
      1,
    ),
  )
  geometry.setAttribute('position', cut(positions))
  if (batch.normals) geometry.setAttribute('normal', cut(scene.floats(batch.normals)))
  // The writer of OBJ takes the points of lines in their order.
  return batch.kind === 'lines' ? geometry.toNonIndexed() : geometry
}

function createObject(kind: SceneBatch['kind'], geometry: BufferGeometry, colour: number) {
  if (kind === 'triangles') return new Mesh(geometry, findMaterial('mesh', colour))
  if (kind === 'lines') return new LineSegments(geometry, findMaterial('line', colour))
  return new Points(geometry, findMaterial('point', colour))
}

const GREY = 0xc9d3ccff
const materials = new Map<string, Material>()

/** Returns the material of a kind and a colour, `0xrrggbbaa`; 0 is no colour. */
function findMaterial(kind: 'mesh' | 'line' | 'point', colour: number): Material {
  const key = `${kind} ${colour}`
  const known = materials.get(key)
  if (known) return known
  const rgba = colour || GREY
  const opacity = (rgba & 0xff) / 0xff
  const look = { color: new Color(rgba >>> 8), opacity, transparent: opacity < 1 }
  const material =
    kind === 'mesh'
      ? new MeshStandardMaterial({ ...look, side: DoubleSide, roughness: 0.8, metalness: 0 })
      : kind === 'line'
        ? new LineBasicMaterial(look)
        : new PointsMaterial(look)
  materials.set(key, material)
  return material
}
