import type { ModelLayer } from '@meadow/contract/web'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { NIL_ID } from '../opennurbs/class-ids.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { cut } from './read-properties.ts'

export interface LayerRecord {
  /** The index by which objects refer to the layer. */
  index: number
  /** The id of the layer; empty in files of version 2 and 3. */
  id: string
  parentId: string
  name: string
  colour: string
  visible: boolean
  locked: boolean
}

/** Source: `ON_Layer::Read`. */
export function readLayer(record: ChunkReader): LayerRecord {
  const { data } = readObject(record)
  const { minor } = data.version()
  const mode = data.int32()
  const index = data.int32()
  // Skips the IGES level, the material and an obsolete number.
  data.skip(12)
  const colour = toHex(data.byte(), data.byte(), data.byte())
  // Skips the transparency and an unused line style.
  data.skip(1 + 20)
  const name = cut(data.text())
  const layer = { index, id: '', parentId: NIL_ID, name, colour, visible: mode !== 1, locked: mode === 2 }
  if (minor >= 1) layer.visible = data.bool() && layer.visible
  // Skips the line type, then the colour and the width on paper.
  if (minor >= 4) {
    data.skip(4 + 4 + 8)
    layer.locked = data.bool() || layer.locked
  }
  if (minor >= 5) layer.id = data.uuid()
  if (minor >= 6 && data.remaining >= 16) layer.parentId = data.uuid()
  return layer
}

const toHex = (...bytes: number[]): string =>
  `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

const SEPARATOR = '::'
/** The most levels of layers; Rhino's own limit is far below. */
const MAX_DEPTH = 30

/** Lists each layer after its parent, at most `limit`; `counts` has the number of objects by the index of the layer. */
export function toLayerTree(
  records: readonly LayerRecord[],
  counts: ReadonlyMap<number, number>,
  limit: number,
): ModelLayer[] {
  const ids = new Set(records.map(({ id }) => id))
  const children = new Map<string, LayerRecord[]>()
  for (const record of records) {
    const { id, parentId } = record
    const parent = ids.has(parentId) && parentId !== id ? parentId : NIL_ID
    const siblings = children.get(parent)
    if (siblings) siblings.push(record)
    else children.set(parent, [record])
  }
  const listed = new Set<LayerRecord>()
  const layers: ModelLayer[] = []
  const list = (siblings: readonly LayerRecord[], parents: readonly string[]): void => {
    for (const record of siblings) {
      if (listed.has(record)) continue
      if (layers.length === limit) return
      listed.add(record)
      const { index, id, name, colour, visible, locked } = record
      const path = [...parents, name]
      const objects = counts.get(index) ?? 0
      layers.push({ path: path.join(SEPARATOR), depth: parents.length, colour, visible, locked, objects })
      if (path.length < MAX_DEPTH) list((id && children.get(id)) || [], path)
    }
  }
  list(children.get(NIL_ID) ?? [], [])
  // Other layers are left only in a damaged file: they are their own ancestors, or too deep.
  list(records, [])
  return layers
}
