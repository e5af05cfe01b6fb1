import type { GraphContent } from '@meadow/contract'
import { CLUSTER, fingerprintOf } from '@meadow/document'
import { encodeLiveDocument, listReferences, openLiveProjector, type Reference } from '@meadow/document/live'
import * as Y from 'yjs'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Job, JobParts } from '../../platform/processes/job-child.ts'
import { type NewContent, storeContentBytes } from '../../team/content-blobs.ts'
import type { StoredJson } from '../content.store.ts'
import { readContentBlob, readStoredBytes } from '../read-graph.ts'
import { findEdit, TooLargeHereError } from '../replace-content.ts'
import { encodeLiveJson, putLargeValuesOf, readSmallContent, readStoredJson } from '../stored-json.ts'
import { decodeBase, decodeDelta, encodeBase, encodeDelta, MAX_BASE_BYTES } from './version-text.ts'

/*
 * What versions and the first opening of a document cost processor time for: a megabyte of a document takes about 80 ms to
 * parse, compare and fingerprint. All of it is a function of what is stored, so that it can run in a child process, see
 * `history-pool.ts`.
 */

/** The base of versions, as it is stored. */
export interface StoredBase {
  content: Uint8Array | null
  blob: string | null
  isPlain: boolean
}

/** The text of a version, as it is stored. */
export interface StoredVersion {
  base: StoredBase
  delta: Uint8Array | null
  /** The length of the large values that it refers to. */
  valueBytes: number
}

export interface EncodeRequest {
  kind: 'encode'
  json: StoredJson
  /** The newest base of the document, and how its differences have grown, in bytes. */
  base: (StoredBase & { bytes: number; leastDelta: number; growth: number }) | undefined
}

export interface EncodedText {
  nodes: number
  wires: number
  fingerprint: string
  hasClusters: boolean
  references: readonly Reference[]
  /** The difference from the base, null when there is none; undefined: the text is a base itself. */
  delta: Uint8Array | null | undefined
  /** The text as a base, unless it is a blob already. */
  newBase: Uint8Array | undefined
}

/** Asks for the contents at positions of a log. */
export interface ProjectRequest {
  kind: 'project'
  /** The Yjs state as of `seq`. */
  state: Uint8Array
  seq: number
  changes: readonly { seq: number; change: Uint8Array }[]
  /** `ifRemoved`: only if the change after it removes much. */
  positions: readonly { seq: number; ifRemoved: boolean }[]
}

/** The contents of the positions that are to be kept, as JSON. */
export type Projected = { seq: number; bytes: Uint8Array }[]

export interface RestoreRequest {
  kind: 'restore'
  version: StoredVersion
  /** The Yjs state of the document and the changes since; undefined when it was never opened for editing. */
  updates: readonly Uint8Array[] | undefined
  /** Whether the caller edits the document, and needs the content. */
  isContentWanted: boolean
}

export interface RestoredText {
  /** The content as JSON with references in place of large values, if it is wanted. */
  json: Uint8Array | undefined
  /** The whole content, for a document that was never opened for editing. */
  content: NewContent | undefined
  /** The large values that it refers to. */
  values: readonly Reference[]
  /** The objects of Rhino models that it refers to. */
  objects: readonly string[]
  /** The edit that gives the document this content: empty when it has it; a sentence when there is none. */
  edit: Uint8Array | { refused: string } | undefined
}

export interface ReplaceRequest {
  kind: 'replace'
  /** The content that a document gets. */
  content: StoredJson
  updates: readonly Uint8Array[]
}

export interface Replaced {
  edit: Uint8Array | { refused: string }
  /** The large values that the content refers to. */
  values: readonly Reference[]
}

/** Asks for the state with which the first editor of a document begins. */
export interface OpenRequest {
  kind: 'open'
  content: StoredJson
}

export interface Opened {
  /** The Yjs state as one update. */
  state: Uint8Array
  /** The large values that it refers to. */
  values: readonly Reference[]
}

export interface CopyRequest {
  kind: 'copy'
  version: StoredVersion
}

export interface CopiedText {
  content: NewContent
  objects: readonly string[]
}

export type HistoryRequest =
  | EncodeRequest
  | ProjectRequest
  | RestoreRequest
  | ReplaceRequest
  | OpenRequest
  | CopyRequest

/** The work, wherever it runs. `group`: whom it counts for, which is a team. */
export interface HistoryWork {
  encode(request: EncodeRequest, group: string): Promise<EncodedText>
  project(request: ProjectRequest, group: string): Promise<Projected>
  restore(request: RestoreRequest, group: string): Promise<RestoredText>
  replace(request: ReplaceRequest, group: string): Promise<Replaced>
  open(request: OpenRequest, group: string): Promise<Opened>
  copy(request: CopyRequest, group: string): Promise<CopiedText>
}

/** Creates the job of a history pool. */
export function createJob({ blobs }: JobParts): Job<HistoryRequest, unknown> {
  const work = createHistoryWork(blobs!)
  return (request) => runByKind(work, request, '')
}

/** Does what a request asks for. The caller knows of which kind the result is. */
export const runByKind = (work: HistoryWork, request: HistoryRequest, group: string): Promise<never> =>
  work[request.kind](request as never, group) as Promise<never>

/** Does the work in this process. */
export const createHistoryWork = (blobs: BlobStore): HistoryWork => ({
  encode: (request) => encode(blobs, request),
  project: async (request) => project(request),
  restore: (request) => restore(blobs, request),
  replace: (request) => replace(blobs, request),
  open: (request) => open(blobs, request),
  copy: (request) => copy(blobs, request),
})

async function encode(blobs: Pick<BlobStore, 'read'>, { json, base }: EncodeRequest): Promise<EncodedText> {
  const bytes = await readStoredBytes(blobs, json)
  const text = new TextDecoder().decode(bytes)
  const content: GraphContent = JSON.parse(text)
  const nodes = Object.values(content.nodes)
  const wires = nodes
    .flatMap(({ sources }) => Object.values(sources))
    .reduce((sum, { length }) => sum + length, 0)
  const delta = base && (await tryDelta(blobs, base, bytes))
  return {
    nodes: nodes.length,
    wires,
    fingerprint: fingerprintOf(content),
    hasClusters: nodes.some(({ templateId }) => templateId === CLUSTER),
    references: listReferences(text),
    delta,
    newBase: delta !== undefined || 'digest' in json ? undefined : await encodeBase(bytes),
  }
}

/** A base may be replaced by a shorter one when a difference from it is longer than this. */
const MIN_DELTA_BYTES = 1024

/**
 * The difference of a text from a base: null when there is none, undefined when the text should be a base itself. That is
 * so when the differences from the base have grown, in sum, by more than the size of a base: edits take a document further
 * and further away from it.
 */
async function tryDelta(
  blobs: Pick<BlobStore, 'read'>,
  base: NonNullable<EncodeRequest['base']>,
  text: Uint8Array,
): Promise<Uint8Array | null | undefined> {
  const { content, leastDelta, growth } = base
  const baseText = await readBaseText(blobs, base).catch(() => undefined)
  if (!baseText || baseText.length > MAX_BASE_BYTES || text.length > MAX_BASE_BYTES) return undefined
  if (Buffer.compare(baseText, text) === 0) return null
  const delta = await encodeDelta(text, baseText)
  if (delta.length <= MIN_DELTA_BYTES && growth <= MIN_DELTA_BYTES) return delta
  const baseBytes = content?.length ?? Math.max(base.bytes, Math.floor(baseText.length / 10))
  const grown = growth + Math.max(0, delta.length - (leastDelta || delta.length))
  return grown > baseBytes || delta.length > baseBytes / 2 ? undefined : delta
}

/** The text of a version: its JSON, in which large values may be references. Compression runs beside the main thread. */
export async function readText(
  blobs: Pick<BlobStore, 'read'>,
  { base, delta }: Omit<StoredVersion, 'valueBytes'>,
): Promise<Uint8Array> {
  const text = await readBaseText(blobs, base)
  return delta === null ? text : decodeDelta(delta, text)
}

async function readBaseText(
  blobs: Pick<BlobStore, 'read'>,
  { content, blob, isPlain }: StoredBase,
): Promise<Uint8Array> {
  const bytes = content ?? (await readContentBlob(blobs, blob!))
  return isPlain ? bytes : decodeBase(bytes)
}

/** A change that removes this many nodes at once, and this part of all, leaves a version of what was there before. */
export const MANY_NODES = 3
const MANY_OF = 0.1

const isMany = (removed: number, of: number): boolean => removed >= MANY_NODES && removed >= MANY_OF * of

function project({ state, seq: start, changes, positions }: ProjectRequest): Projected {
  const projected: Projected = []
  const doc = new Y.Doc()
  const projector = openLiveProjector(doc)
  try {
    Y.applyUpdate(doc, state)
    const wanted = new Map(positions.map((position) => [position.seq, position]))
    const nodes = doc.getMap('nodes')
    let removing: { seq: number; count: number; bytes: Uint8Array } | undefined
    // Many at once cost a part of what they cost one by one, and those behind the last version nothing.
    let waiting: Uint8Array[] = []
    for (const { seq, change } of [{ seq: start, change: undefined }, ...changes]) {
      if (change) waiting.push(change)
      if (!removing && !wanted.has(seq)) continue
      doc.transact(() => {
        for (const each of waiting) Y.applyUpdate(doc, each)
      })
      waiting = []
      if (removing && isMany(removing.count - nodes.size, removing.count))
        projected.push({ seq: removing.seq, bytes: removing.bytes })
      removing = undefined
      const position = wanted.get(seq)
      if (!position) continue
      const bytes = encodeLiveJson(projector.readJson())
      if (position.ifRemoved) removing = { seq, count: nodes.size, bytes }
      else projected.push({ seq, bytes })
    }
  } finally {
    projector.close()
    doc.destroy()
  }
  return projected
}

async function restore(
  blobs: BlobStore,
  { version, updates, isContentWanted }: RestoreRequest,
): Promise<RestoredText> {
  const whole = await readStoredJson(blobs, { bytes: await readText(blobs, version) })
  const content = await putLargeValuesOf(blobs, JSON.parse(new TextDecoder().decode(whole)))
  const json = JSON.stringify(content)
  return {
    json: isContentWanted ? Buffer.from(json) : undefined,
    content: updates ? undefined : await storeContentBytes(blobs, whole),
    values: updates || isContentWanted ? listReferences(json) : [],
    objects: listReferencedObjects(content),
    edit: updates && findEdit(updates, content),
  }
}

async function replace(blobs: BlobStore, { content: json, updates }: ReplaceRequest): Promise<Replaced> {
  const content = await readSmallContent(blobs, json)
  return { edit: findEdit(updates, content), values: listReferences(JSON.stringify(content)) }
}

async function open(blobs: BlobStore, { content: json }: OpenRequest): Promise<Opened> {
  const content = await readSmallContent(blobs, json)
  return { state: encodeLiveDocument(content), values: listReferences(JSON.stringify(content)) }
}

async function copy(blobs: BlobStore, { version }: CopyRequest): Promise<CopiedText> {
  const whole = await readStoredJson(blobs, { bytes: await readText(blobs, version) })
  return {
    content: await storeContentBytes(blobs, whole),
    objects: listReferencedObjects(JSON.parse(new TextDecoder().decode(whole))),
  }
}

/** The objects of Rhino models that its values refer to, except for values in the blob store. */
function listReferencedObjects({ nodes }: GraphContent): string[] {
  const values = Object.values(nodes)
    .flatMap((node) => Object.values(node.values))
    .flatMap(({ branches }) => branches)
    .flatMap((branch) => branch.values)
  return [...new Set(values.flatMap((value) => value?.referenceId?.toLowerCase() ?? []))]
}

/** Versions of a larger document are made and restored in a child process. A megabyte takes about 80 ms. */
export const MAX_HERE_BYTES = 500_000
/** A compressed text hardly ever expands by this factor when it is read. */
const EXPANSION = 10

/** Does the work inside a transaction. What is large has to be done before it. Throws a {@link TooLargeHereError}. */
export function createSmallHistoryWork(blobs: BlobStore): Pick<HistoryWork, 'encode' | 'project'> {
  const here = createHistoryWork(blobs)
  const run = async (request: HistoryRequest, group: string): Promise<never> => {
    if ((await sizeOfRequest(blobs, request)) > MAX_HERE_BYTES)
      throw new TooLargeHereError('The document was changed meanwhile.')
    return runByKind(here, request, group)
  }
  return { encode: run, project: run }
}

/** The length of what is read for a request, in bytes: it decides where the work is done. */
export async function sizeOfRequest(blobs: Sizes, request: HistoryRequest): Promise<number> {
  switch (request.kind) {
    case 'encode': {
      const { json, base } = request
      return Math.max(await sizeOfJson(blobs, json), base ? await sizeOfBase(blobs, base) : 0)
    }
    case 'project':
      return sizeOfUpdates([request.state, ...request.changes.map(({ change }) => change)])
    case 'restore':
      return (await sizeOfVersion(blobs, request.version)) + sizeOfUpdates(request.updates ?? [])
    case 'replace':
      return (await sizeOfJson(blobs, request.content)) + sizeOfUpdates(request.updates)
    case 'open':
      return sizeOfJson(blobs, request.content)
    case 'copy':
      return sizeOfVersion(blobs, request.version)
  }
}

type Sizes = Pick<BlobStore, 'size'>

const sizeOfUpdates = (updates: readonly Uint8Array[]): number =>
  updates.reduce((sum, { length }) => sum + length, 0)

const sizeOfJson = async (blobs: Sizes, json: StoredJson): Promise<number> =>
  'bytes' in json ? json.bytes.length : ((await blobs.size(json.digest)) ?? 0)

async function sizeOfVersion(blobs: Sizes, { base, delta, valueBytes }: StoredVersion): Promise<number> {
  return (await sizeOfBase(blobs, base)) + EXPANSION * (delta?.length ?? 0) + valueBytes
}

async function sizeOfBase(blobs: Sizes, { content, blob, isPlain }: StoredBase): Promise<number> {
  const bytes = content?.length ?? (await blobs.size(blob!)) ?? 0
  return isPlain ? bytes : EXPANSION * bytes
}
