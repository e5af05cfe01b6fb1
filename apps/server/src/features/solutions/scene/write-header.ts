import { SCENE_HEADER_AT, SCENE_MAGIC, SCENE_VERSION, type SceneHeader } from '@meadow/contract/web'

/** The header of a scene; its numbers follow. */
export function writeHeader(header: SceneHeader): Uint8Array {
  const json = Buffer.from(JSON.stringify(header))
  const length = Math.ceil(json.length / 4) * 4
  const bytes = Buffer.alloc(SCENE_HEADER_AT + length, ' ')
  bytes.write(SCENE_MAGIC, 0)
  bytes.writeUInt32LE(SCENE_VERSION, 4)
  bytes.writeUInt32LE(length, 8)
  json.copy(bytes, SCENE_HEADER_AT)
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
