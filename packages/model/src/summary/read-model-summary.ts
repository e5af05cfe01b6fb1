import type { ModelFacts, UnreadPart } from '@meadow/contract/web'
import { MAX_FACTS_BYTES } from '@meadow/contract/web/terms'
import { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
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
  /** The bytes of a PNG file: the preview that Rhino stored, at most 640 pixels wide and high. */
  thumbnail?: Uint8Array<ArrayBuffer>
  /** The ids of the objects in file order, each once, as UUIDs in lower case: the first 200,000. */
  objectIds: string[]
}

const MAX_OBJECT_IDS = 200_000

/**
 * Reads what a .3dm file says about itself: archive versions 2 to 8, and 9 as far as it is the same. Objects are
 * skipped, except for their class and attributes. What of a table cannot be read is named by `unread`.
 * Fails: `ModelFault` for other files, files of version 1, and files that are damaged or cut off between tables.
 * Time is proportional to the number of chunks, memory to the number of objects and layers.
 */
export function readModelSummary(bytes: Uint8Array): ModelSummary {
  const version = readArchiveVersion(bytes)
  checkVersion(version)
  const draft = createDraft(version < 10 ? version : Math.floor(version / 10))
  const reader = new ChunkReader(bytes, HEADER_SIZE, bytes.length, version < 50 ? 4 : 8)
  try {
    readTables(reader, draft)
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    throw new ModelFault(`it is damaged, or was not written to its end (${error.message})`, { cause: error })
  }
  return toSummary(draft)
}

function readTables(reader: ChunkReader, draft: Draft): void {
  for (;;) {
    const { typeCode, body } = reader.chunk()
    if (typeCode === TYPE.endOfFile) return
    readTable(typeCode, body, draft)
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
    counts: { types: new Map(), layers: new Map(), ids: new Set() },
    comment: '',
    thumbnail: undefined,
    unread: new Set(),
  }
}

interface Table {
  part: UnreadPart
  readRecord(typeCode: number, body: ChunkReader, draft: Draft): void
}

const countRecord: Table['readRecord'] = (typeCode, body, { counts }) =>
  countObjects(typeCode, body, counts, MAX_OBJECT_IDS)

const TABLES: ReadonlyMap<number, Table> = new Map<number, Table>([
  [TYPE.propertiesTable, { part: 'properties', readRecord: readProperty }],
  [
    TYPE.settingsTable,
    {
      part: 'units',
      readRecord(typeCode, body, { facts }) {
        if (typeCode === TYPE.units) facts.units = readUnits(body)
      },
    },
  ],
  [
    TYPE.layerTable,
    {
      part: 'layers',
      readRecord(typeCode, body, { layers }) {
        if (typeCode === TYPE.layerRecord) layers.push(readLayer(body))
      },
    },
  ],
  [
    TYPE.materialTable,
    {
      part: 'materials',
      readRecord(typeCode, body, { facts }) {
        if (typeCode === TYPE.materialRecord) facts.materials.push(readMaterialName(body))
      },
    },
  ],
  [
    TYPE.blockTable,
    {
      part: 'blocks',
      readRecord(typeCode, body, { facts }) {
        if (typeCode === TYPE.blockRecord) facts.blocks.push(readBlock(body))
      },
    },
  ],
  [TYPE.lightTable, { part: 'objects', readRecord: countRecord }],
  [TYPE.objectTable, { part: 'objects', readRecord: countRecord }],
])

function readProperty(typeCode: number, body: ChunkReader, draft: Draft): void {
  const { facts, unread } = draft
  switch (typeCode) {
    case TYPE.revisionHistory:
      Object.assign(facts, readRevisions(body))
      break
    case TYPE.application:
      Object.assign(facts, readApplication(body, draft.comment))
      break
    case TYPE.notes:
      attempt(unread, 'notes', () => Object.assign(facts, { notes: readNotes(body) }))
      break
    case TYPE.previewImage:
    case TYPE.compressedPreviewImage:
      attempt(unread, 'thumbnail', () => Object.assign(draft, { thumbnail: readPreview(body, typeCode) }))
  }
}

/** The version of the application is in its first lines. */
const COMMENT_LENGTH = 300

function readTable(typeCode: number, body: ChunkReader, draft: Draft): void {
  if (typeCode === TYPE.commentBlock) {
    const comment = body.bytes.subarray(body.at, body.at + Math.min(body.remaining, COMMENT_LENGTH))
    draft.comment = Buffer.from(comment).toString('latin1')
  }
  const table = TABLES.get(typeCode)
  if (table) readRecords(body, table, draft)
}

/** Chunks must fit into their table; what is inside one that cannot be read is left out. */
function readRecords(body: ChunkReader, { part, readRecord }: Table, draft: Draft): void {
  while (body.remaining > 0) {
    const record = body.chunk()
    if (record.typeCode === TYPE.endOfTable) return
    attempt(draft.unread, part, () => readRecord(record.typeCode, record.body, draft))
  }
}

function attempt(unread: Set<UnreadPart>, part: UnreadPart, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    unread.add(part)
  }
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
  return { facts: shorten(whole), ...(thumbnail && { thumbnail }), objectIds: [...counts.ids] }
}

/** The most entries of a list, which are more than anybody reads. */
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
