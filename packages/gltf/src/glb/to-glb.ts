import { countModel, type ModelCounts } from '../model/count-model.ts'
import {
  type DrawnModel,
  type DrawnNode,
  type DrawnPort,
  type DrawnValue,
  type DrawOptions,
  drawModel,
  type SkippedValue,
} from '../model/draw-model.ts'
import { createFrame, listDrawn } from '../model/frame.ts'
import type { BimInput, SolutionInput } from '../model/inputs.ts'
import { writeContainer } from './container.ts'
import { type Gltf, type GltfNode, VIEWS } from './gltf.ts'
import { createPrimitiveWriter, type PrimitiveWriter, type Views } from './primitives.ts'

export interface GlbOptions extends DrawOptions {
  /** A port with more values than this becomes one object, instead of one for each value. By default 1000. */
  mergeAbove?: number
}

/** A binary glTF file. */
export interface Glb {
  bytes: Uint8Array<ArrayBuffer>
  counts: ModelCounts
  skipped: SkippedValue[]
}

const MERGE_ABOVE = 1000

/**
 * Writes a solution with geometry as a binary glTF 2.0 file: surfaces and meshes as triangles, curves as lines, points
 * as points, in metres, with y up. Each node of the document is a node of the scene, with a child for each value, whose
 * `extras` name the port, path and index that it was computed for.
 */
export function toGlb(solution: SolutionInput | BimInput, options: GlbOptions = {}): Glb {
  const model = drawModel(solution, options)
  return { bytes: writeGlb(model, options), counts: countModel(model), skipped: model.skipped }
}

/** Writes a drawn model as a binary glTF file. */
export function writeGlb(
  model: DrawnModel,
  { mergeAbove = MERGE_ABOVE }: Pick<GlbOptions, 'mergeAbove'> = {},
): Uint8Array<ArrayBuffer> {
  const frame = createFrame(model)
  const writer = createPrimitiveWriter(frame, estimateBytes(model))
  const nodes: GltfNode[] = []
  const meshes: NonNullable<Gltf['meshes']> = []
  const add = (node: GltfNode): number => nodes.push(node) - 1
  const addObject = (name: string, values: readonly DrawnValue[], extras: object): number => {
    meshes.push({ name, primitives: writer.write(values) })
    return add({ name, mesh: meshes.length - 1, extras })
  }

  const children = model.nodes.map((node) => {
    const objects = node.ports.flatMap((port) =>
      listObjects(port, mergeAbove).map(({ name, values }) =>
        addObject(name, values, describeObject(node, port, values)),
      ),
    )
    return add({ name: node.name, children: objects, extras: { nodeInstanceId: node.nodeInstanceId } })
  })
  const isMoved = frame.origin.some((number) => number !== 0)
  const { name, documentId, solutionId, units } = model
  const extras = { ...(documentId && { documentId }), solutionId, units }
  const root = { name, ...(isMoved && { translation: frame.origin }), extras }
  const top = children.length > 0 ? [add({ ...root, children })] : []
  return writeContainer(...assemble({ nodes, meshes, top }, writer))
}

/**
 * Estimates the size of positions, normals and triangles, which are most of a file: reserving it at once saves copies.
 */
function estimateBytes({ nodes }: DrawnModel): { vectors: number; indices: number } {
  const bytes = { vectors: 0, indices: 0 }
  for (const { shape } of listDrawn(nodes)) {
    bytes.vectors += 4 * (shape.positions.length + shape.normals.length)
    bytes.indices += 2 * shape.triangles.length
  }
  return bytes
}

/** Lists what becomes one object of the scene. The points of a port are always together, as a cloud. */
function listObjects(
  { name, values }: DrawnPort,
  mergeAbove: number,
): { name: string; values: DrawnValue[] }[] {
  const points = values.filter(({ type }) => type === 'point')
  const others = values.filter(({ type }) => type !== 'point')
  const alone = others.length > mergeAbove ? [] : others
  const together = [points, others.length > mergeAbove ? others : []].filter(({ length }) => length > 0)
  return [
    ...together.map((members) => ({
      name: members.length > 1 ? name : toName(name, members[0]!),
      values: members,
    })),
    ...alone.map((value) => ({ name: toName(name, value), values: [value] })),
  ]
}

/** Names a value in the same way as model files do. */
const toName = (port: string, { path, index }: DrawnValue): string => `${port} ${path}[${index}]`

function describeObject(
  { nodeInstanceId }: DrawnNode,
  { portInstanceId }: DrawnPort,
  values: readonly DrawnValue[],
): object {
  const [first] = values
  const port = { nodeInstanceId, portInstanceId, type: first!.type }
  if (values.length === 1) return { ...port, ...describeValue(first!) }
  return { ...port, values: values.map(describeValue) }
}

const describeValue = ({ path, index, id, alsoAt }: DrawnValue): object => ({
  path,
  index,
  ...(id && { id }),
  ...(alsoAt.length > 0 && { alsoAt }),
})

/** Assembles the JSON of a file and its numbers. */
function assemble(
  { nodes, meshes, top }: { nodes: GltfNode[]; meshes: NonNullable<Gltf['meshes']>; top: number[] },
  { views, accessors, materials }: PrimitiveWriter,
): [gltf: Gltf, numbers: Uint8Array[]] {
  const asset = { version: '2.0', generator: 'Meadow' } as const
  if (top.length === 0) return [{ asset, scene: 0, scenes: [{}] }, []]
  const { bufferViews, numbers, byteLength, position } = placeViews(views)
  const moved = accessors.map((accessor) => ({ ...accessor, bufferView: position[accessor.bufferView]! }))
  const extensions = listExtensions(meshes, materials)
  const gltf: Gltf = {
    asset,
    ...(extensions.length > 0 && { extensionsUsed: extensions }),
    scene: 0,
    scenes: [{ nodes: top }],
    nodes,
    meshes,
    materials: materials.list,
    accessors: moved,
    bufferViews,
    buffers: [{ byteLength }],
  }
  return [gltf, numbers]
}

/** Places the views that have numbers one after the other. `position` is the new index of each of `VIEWS`. */
function placeViews(views: Views) {
  const bufferViews: NonNullable<Gltf['bufferViews']> = []
  const numbers: Uint8Array[] = []
  const position: number[] = []
  let byteOffset = 0
  for (const { name, ...format } of VIEWS) {
    const { bytes } = views[name]
    position.push(bufferViews.length)
    if (bytes.length === 0) continue
    bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length, ...format })
    numbers.push(bytes)
    byteOffset += bytes.length
  }
  return { bufferViews, numbers, byteLength: byteOffset, position }
}

function listExtensions(
  meshes: NonNullable<Gltf['meshes']>,
  { list }: PrimitiveWriter['materials'],
): string[] {
  const hasFeatures = meshes.some(({ primitives }) => primitives.some(({ extensions }) => extensions))
  const isUnlit = list.some(({ extensions }) => extensions)
  return [...(hasFeatures ? ['EXT_mesh_features'] : []), ...(isUnlit ? ['KHR_materials_unlit'] : [])]
}
