/** The parts of a glTF 2.0 asset that are written here. Source: Khronos, glTF 2.0 specification, section 5. */
export interface Gltf {
  asset: { version: '2.0'; generator: string; extras?: object }
  scene: 0
  scenes: [{ nodes?: number[] }]
  nodes?: GltfNode[]
  meshes?: { name: string; primitives: GltfPrimitive[] }[]
  materials?: GltfMaterial[]
  accessors?: GltfAccessor[]
  bufferViews?: { buffer: 0; byteOffset: number; byteLength: number; byteStride?: number; target: number }[]
  buffers?: [{ byteLength: number }]
  extensionsUsed?: string[]
}

export interface GltfNode {
  name: string
  translation?: readonly number[]
  mesh?: number
  children?: number[]
  extras?: object
}

export interface GltfPrimitive {
  attributes: Record<string, number>
  indices?: number
  material: number
  /** The type of the primitives: points, lines, one line through all vertices, or triangles. */
  mode?: 0 | 1 | 3 | 4
  extensions?: object
}

export interface GltfMaterial {
  name: string
  pbrMetallicRoughness: { baseColorFactor: number[]; metallicFactor: number; roughnessFactor: number }
  emissiveFactor?: number[]
  alphaMode?: 'BLEND'
  doubleSided?: true
  extensions?: { KHR_materials_unlit: object }
}

export interface GltfAccessor {
  bufferView: number
  byteOffset: number
  componentType: number
  count: number
  type: 'SCALAR' | 'VEC3' | 'VEC4'
  normalized?: true
  min?: number[]
  max?: number[]
}

export const COMPONENT = { uint16: 5123, uint32: 5125, float32: 5126 } as const
export const MODE = { points: 0, lines: 1, lineStrip: 3, triangles: 4 } as const
const ARRAY_BUFFER = 34_962
const ELEMENT_ARRAY_BUFFER = 34_963

/** The buffer views of a file, in order, which its accessors read. */
export const VIEWS = [
  { name: 'vectors', target: ARRAY_BUFFER, byteStride: 12 },
  { name: 'colours', target: ARRAY_BUFFER, byteStride: 8 },
  { name: 'features', target: ARRAY_BUFFER, byteStride: 4 },
  { name: 'indices', target: ELEMENT_ARRAY_BUFFER },
] as const
export type ViewName = (typeof VIEWS)[number]['name']
