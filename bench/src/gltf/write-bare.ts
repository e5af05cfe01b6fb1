import type { DrawnModel } from '@meadow/gltf'

/** Writes the triangles of a model as the smallest GLB file that holds them: one object, without names and colours. */
export function writeBare({ nodes }: DrawnModel): Uint8Array {
  const shapes = nodes.flatMap(({ ports }) => ports.flatMap(({ values }) => values.map(({ shape }) => shape)))
  const vertices = shapes.reduce((sum, { positions }) => sum + positions.length, 0)
  const corners = shapes.reduce((sum, { triangles }) => sum + triangles.length, 0)
  const positions = new Float32Array(vertices)
  const normals = new Float32Array(vertices)
  const indices = new Uint32Array(corners)
  let [vertex, corner] = [0, 0]
  for (const shape of shapes) {
    positions.set(shape.positions, vertex)
    normals.set(shape.normals, vertex)
    for (const index of shape.triangles) indices[corner++] = vertex / 3 + index
    vertex += shape.positions.length
  }
  const parts = [positions, normals, indices].map(({ buffer }) => new Uint8Array(buffer))
  const json = new TextEncoder().encode(describe(vertices / 3, corners))
  const header = new Uint32Array([0x46546c67, 2, 0, json.length, 0x4e4f534a])
  const chunk = new Uint32Array([parts.reduce((sum, { length }) => sum + length, 0), 0x004e4942])
  const all = [new Uint8Array(header.buffer), json, new Uint8Array(chunk.buffer), ...parts]
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of all) {
    bytes.set(part, at)
    at += part.length
  }
  new DataView(bytes.buffer).setUint32(8, bytes.length, true)
  return bytes
}

function describe(vertices: number, corners: number): string {
  const text = JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: vertices, type: 'VEC3' },
      { bufferView: 1, componentType: 5126, count: vertices, type: 'VEC3' },
      { bufferView: 2, componentType: 5125, count: corners, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 12 * vertices },
      { buffer: 0, byteOffset: 12 * vertices, byteLength: 12 * vertices },
      { buffer: 0, byteOffset: 24 * vertices, byteLength: 4 * corners },
    ],
    buffers: [{ byteLength: 24 * vertices + 4 * corners }],
  })
  return text.padEnd((text.length + 3) & ~3)
}
