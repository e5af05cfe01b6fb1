import { MAX_FACTS_BYTES, type ModelFacts, type UnreadPart } from '@meadow/contract/web'
import { ModelFault } from '../model-fault.ts'
import { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { HEADER_SIZE } from '../walker/open-tables.ts'
import { readArchiveVersion } from '../walker/read-archive-version.ts'
import { countObjects, type ObjectCounts } from './count-objects.ts'
import { readBlock, readMaterialName } from './read-components.ts'
import { type LayerRecord, readLayer, toLayerTree } from './read-layers.ts'
import { readPreview } from './read-preview.ts'
import { readApplication, readNotes, readRevisions, readUnits } from './read-properties.ts'

/** What a model file says about itself, without its geometry. */
export interface ModelSummary {
  facts: ModelFacts
  /** The bytes of a PNG file: the preview that Rhino stored, at most `MAX_PREVIEW_SIDE` pixels wide and high. */
  thumbnail?: Uint8Array<ArrayBuffer>
  /** The ids of the objects in file order, as UUIDs in lower case: the first `MAX_OBJECT_IDS`. */
  objectIds: string[]
}

export const MAX_OBJECT_IDS = 200_000

/**
 * Reads what a .3dm file says about itself: archive versions 2 to 8, and 9 as far as it is the same. Objects are
 * skipped, except for their class and attributes. What of a table cannot be read is named by `unread`.
 * Fails: `ModelFault` for other files, files of version 1, and files that are damaged or cut off between tables.
 * Time is proportional to the number of chunks, memory to the number of objects and layers.
 */
export function readModelSummary(bytes: Uint8Array): ModelSummary {
  const version = readArchiveVersion(bytes)
  checkVersion(version)
  const summary = createDraft(version < 10 ? version : Math.floor(version / 10))
  const reader = new ChunkReader(bytes, HEADER_SIZE, bytes.length, version < 50 ? 4 : 8)
  for (;;) {
    const { typeCode, body } = reader.chunk()
    if (typeCode === TYPE.endOfFile) return toSummary(summary)
    readTable(typeCode, body, summary)
  }
}

function checkVersion(version: number): void {
  if (version === 1)
    throw new ModelFault('it was saved by Rhino 1: open it in a newer Rhino and save it there')
  const isKnown = (version >= 2 && version <= 4) || (version >= 50 && version < 100)
  if (!isKnown) throw new ModelFault(`models of archive version ${version} are not supported`)
}

interface Draft {
  facts: Omit<ModelFacts, 'layers' | 'layerCount' | 'objects' | 'objectCount' | 'unread'>
  layers: LayerRecord[]
  counts: ObjectCounts
  comment: string
  thumbnail: Uint8Array<ArrayBuffer> | undefined
  unread: Set<UnreadPart>
}

function createDraft(archiveVersion: number): Draft {
  return {
    facts: {
      kind: 'model',
      archiveVersion,
      application: null,
      applicationVersion: null,
      createdBy: null,
      createdAt: null,
      editedBy: null,
      editedAt: null,
      revision: 0,
      notes: '',
      units: null,
      blocks: [],
      blockCount: 0,
      materials: [],
      materialCount: 0,
    },
    layers: [],
    counts: { types: new Map(), layers: new Map(), ids: [] },
    comment: '',
    thumbnail: undefined,
    unread: new Set(),
  }
}

function readTable(typeCode: number, table: ChunkReader, draft: Draft): void {
  switch (typeCode) {
    case TYPE.commentBlock:
      draft.comment = Buffer.from(table.bytes.subarray(table.at, table.at + 300)).toString('latin1')
      return
    case TYPE.propertiesTable:
      return readRecords(table, 'properties', draft, (code, body) => readProperty(code, body, draft))
    case TYPE.settingsTable:
      return readRecords(table, 'units', draft, (code, body) => {
        if (code === TYPE.units) draft.facts.units = readUnits(body)
      })
    case TYPE.layerTable:
      return readRecords(table, 'layers', draft, (code, body) => {
        if (code === TYPE.layerRecord) draft.layers.push(readLayer(body))
      })
    case TYPE.materialTable:
      return readRecords(table, 'materials', draft, (code, body) => {
        if (code === TYPE.materialRecord) draft.facts.materials.push(readMaterialName(body))
      })
    case TYPE.blockTable:
      return readRecords(table, 'blocks', draft, (code, body) => {
        if (code === TYPE.blockRecord) draft.facts.blocks.push(readBlock(body))
      })
    case TYPE.lightTable:
    case TYPE.objectTable:
      return readRecords(table, 'objects', draft, (code, body) =>
        countObjects(code, body, draft.counts, MAX_OBJECT_IDS),
      )
  }
}

/** Chunks must fit into their table; what is inside one that cannot be read is left out. */
function readRecords(
  table: ChunkReader,
  part: UnreadPart,
  { unread }: Draft,
  readRecord: (typeCode: number, body: ChunkReader) => void,
): void {
  while (table.remaining > 0) {
    const { typeCode, body } = table.chunk()
    if (typeCode === TYPE.endOfTable) return
    attempt(unread, part, () => readRecord(typeCode, body))
  }
}

function attempt(unread: Set<UnreadPart>, part: UnreadPart, read: () => void): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    unread.add(part)
  }
}

function readProperty(typeCode: number, body: ChunkReader, draft: Draft): void {
  const { facts, unread } = draft
  if (typeCode === TYPE.revisionHistory) Object.assign(facts, readRevisions(body))
  else if (typeCode === TYPE.application) Object.assign(facts, readApplication(body, draft.comment))
  else if (typeCode === TYPE.notes) attempt(unread, 'notes', () => void (facts.notes = readNotes(body)))
  else if (typeCode === TYPE.previewImage || typeCode === TYPE.compressedPreviewImage)
    attempt(unread, 'thumbnail', () => void (draft.thumbnail = readPreview(body, typeCode)))
}

function toSummary({ facts, layers, counts, thumbnail, unread }: Draft): ModelSummary {
  const objects = [...counts.types]
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count)
  const materials = [...new Set(facts.materials)].filter((name) => name !== '')
  const whole: ModelFacts = {
    ...facts,
    layers: toLayerTree(layers, counts.layers, MAX_LISTED),
    layerCount: layers.length,
    objects,
    objectCount: objects.reduce((sum, { count }) => sum + count, 0),
    blockCount: facts.blocks.length,
    materials,
    materialCount: materials.length,
    unread: [...unread],
  }
  return { facts: shorten(whole), ...(thumbnail && { thumbnail }), objectIds: counts.ids }
}

/** More than anybody reads in a list. */
const MAX_LISTED = 500

/** Shortens the lists until the facts are small enough to be kept with the file. */
function shorten(facts: ModelFacts): ModelFacts {
  for (let limit = MAX_LISTED; ; limit = Math.floor(limit / 2)) {
    const { layers, blocks, materials } = facts
    const shortened = {
      ...facts,
      layers: layers.slice(0, limit),
      blocks: blocks.slice(0, limit),
      materials: materials.slice(0, limit),
    }
    if (limit === 0 || Buffer.byteLength(JSON.stringify(shortened)) <= MAX_FACTS_BYTES) return shortened
  }
}
