import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { DocumentKey } from '../platform/database/tables.ts'
import type { JsonWindow } from '../platform/json/json-cursor.ts'
import { MORE, type More, rewriteJson, skipValue, walkObject } from '../platform/json/rewrite-json.ts'
import type { StoredJson } from './content.store.ts'
import type { Reserve } from './stored-json.ts'

/** Bytes from `start` up to `end`, which is not included. */
export interface Span {
  start: number
  end: number
}

/** Where the parts of a content are in its JSON. */
export interface ContentIndex {
  /** The nodes by id: where they are, and what they are called. */
  nodes: ReadonlyMap<string, Span & { names: readonly string[] }>
  /** The members of the content by name. */
  members: ReadonlyMap<string, Span>
}

/** The content of a document as of a position in its log. */
export type IndexedContent = { key: DocumentKey; seq: number } & StoredJson

/** Finds parts of contents without parsing them. */
export interface ContentIndexes {
  /**
   * The index of a content, which is made once and then cached. `reserve` is called before it is made, with the bytes that
   * index and response can take.
   */
  get(content: IndexedContent, reserve: Reserve): Promise<ContentIndex>
  /** The bytes of a content that is not in a blob, if they are still cached with its index. */
  findBytes(content: Pick<IndexedContent, 'key' | 'seq'>): StoredJson | undefined
  /**
   * Reads spans, which must be in ascending order. Only their bytes are read, and those of small gaps between them, once
   * `reserve` has resolved.
   */
  read(content: IndexedContent, spans: readonly Span[], reserve: Reserve): Promise<Uint8Array[]>
}

/** The index of a content is smaller than the content. A response may have all of it, and is made of its parts. */
const COPIES = 3

export function createContentIndexes(blobs: BlobStore, maxBytes: number): ContentIndexes {
  const cached =
    maxBytes === 0
      ? undefined
      : new LRUCache<string, ContentIndex & { bytes?: Uint8Array }>({
          maxSize: maxBytes,
          sizeCalculation: sizeOf,
        })
  const making = new Map<string, Promise<ContentIndex>>()

  async function make(content: IndexedContent, key: string): Promise<ContentIndex> {
    if ('digest' in content) {
      const index = await indexContent((await openBlob(blobs, content.digest)).stream())
      cached?.set(key, index)
      return index
    }
    const index = await indexContent([content.bytes])
    cached?.set(key, { ...index, bytes: content.bytes })
    // What is too large with its bytes is cached without them.
    if (!cached?.has(key)) cached?.set(key, index)
    return index
  }

  return {
    async get(content, reserve) {
      // Bytes differ from position to position, and blobs never change.
      const key = 'digest' in content ? content.digest : toKey(content)
      const known = cached?.get(key)
      if (known) return known
      const size = 'bytes' in content ? content.bytes.length : await blobs.size(content.digest)
      await reserve(COPIES * (size ?? 0))
      let index = making.get(key)
      if (!index) {
        index = make(content, key).finally(() => making.delete(key))
        making.set(key, index)
      }
      return index
    },
    findBytes(content) {
      const bytes = cached?.get(toKey(content))?.bytes
      return bytes && { bytes }
    },
    async read(content, spans, reserve) {
      const runs = 'bytes' in content ? [] : joinSpans(spans)
      await reserve([...spans, ...runs].reduce((sum, { start, end }) => sum + end - start, 0))
      if ('bytes' in content) return spans.map(({ start, end }) => content.bytes.subarray(start, end))
      const read: Uint8Array[] = []
      for (const run of runs) {
        const bytes = await readRange(blobs, content.digest, run)
        for (const { start, end } of run.spans) read.push(bytes.subarray(start - run.start, end - run.start))
      }
      return read
    },
  }
}

const toKey = ({ key, seq }: Pick<IndexedContent, 'key' | 'seq'>): string => `${key} ${seq}`

/** Approximately what an index takes, in bytes. */
function sizeOf({ nodes, bytes }: ContentIndex & { bytes?: Uint8Array }): number {
  let size = 1000 + (bytes?.length ?? 0)
  for (const [id, { names }] of nodes) size += 200 + 2 * (id.length + names.join().length)
  return size
}

/** Chunks of this size are read in about a millisecond, then others have a turn. */
const CHUNK_BYTES = 128 * 1024

/** Reads where nodes and members are in the JSON of a content. Throws when it is cut short. */
export async function indexContent(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<ContentIndex> {
  const nodes: Writable<ContentIndex['nodes']> = new Map()
  const members: Writable<ContentIndex['members']> = new Map()
  for await (const _ of rewriteJson(inTurns(bytes), (window) => readContent(window, nodes, members)));
  return { nodes, members }
}

type Writable<T> = T extends ReadonlyMap<infer K, infer V> ? Map<K, V> : never

async function* inTurns(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      if (at > 0) await setImmediate()
      yield chunk.subarray(at, at + CHUNK_BYTES)
    }
}

function* readContent(
  window: JsonWindow,
  nodes: Writable<ContentIndex['nodes']>,
  members: Writable<ContentIndex['members']>,
): Generator<More, void> {
  for (const member of walkObject(window)) {
    if (member === MORE) {
      yield MORE
      continue
    }
    const start = window.position
    if (member !== 'nodes') yield* skipValue(window)
    else
      for (const id of walkObject(window)) {
        if (id === MORE) yield MORE
        else {
          const from = window.position
          const names = yield* readNames(window)
          nodes.set(id, { start: from, end: window.position, names })
        }
      }
    members.set(member, { start, end: window.position })
  }
}

/** Reads what a node is called. */
function* readNames(window: JsonWindow): Generator<More, string[]> {
  const names: string[] = []
  for (const key of walkObject(window)) {
    if (key === MORE) yield MORE
    else if (key === 'name' || key === 'nickName') {
      let name = window.readText()
      for (; name === undefined; name = window.readText()) yield MORE
      names.push(name)
    } else yield* skipValue(window)
  }
  return names
}

/** Spans with a smaller gap between them are read at once: opening a blob costs as much as reading these bytes. */
const MAX_GAP_BYTES = 64 * 1024

/** Joins spans that are close to each other. */
function joinSpans(spans: readonly Span[]): (Span & { spans: Span[] })[] {
  const runs: (Span & { spans: Span[] })[] = []
  for (const span of spans) {
    const last = runs.at(-1)
    if (!last || span.start - last.end > MAX_GAP_BYTES) runs.push({ ...span, spans: [span] })
    else {
      last.end = span.end
      last.spans.push(span)
    }
  }
  return runs
}

async function readRange(blobs: BlobStore, digest: string, { start, end }: Span): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(end - start)
  let length = 0
  const blob = await openBlob(blobs, digest)
  await blob.pour(
    async (chunk) => {
      bytes.set(chunk, length)
      length += chunk.length
    },
    { start, end: end - 1 },
  )
  return bytes
}

async function openBlob(blobs: BlobStore, digest: string) {
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of a document's content is missing.`)
  return blob
}
