import { SCENE_HEADER_AT, SCENE_MAGIC, SCENE_VERSION, type SceneHeader } from '@meadow/contract/web/terms'

const SPACE = 0x20

/** Writes the header of a scene, which its numbers follow. */
export function writeHeader(header: SceneHeader): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const json = encoder.encode(JSON.stringify(header))
  const length = Math.ceil(json.length / 4) * 4
  const bytes = new Uint8Array(SCENE_HEADER_AT + length).fill(SPACE)
  const view = new DataView(bytes.buffer)
  encoder.encodeInto(SCENE_MAGIC, bytes)
  view.setUint32(4, SCENE_VERSION, true)
  view.setUint32(8, length, true)
  bytes.set(json, SCENE_HEADER_AT)
  return bytes
}

/** The scene of a solution without geometry. */
export const EMPTY_SCENE = writeHeader({
  units: 'none',
  origin: [0, 0, 0],
  boundingBox: null,
  batches: [],
  skipped: 0,
  truncated: false,
})
